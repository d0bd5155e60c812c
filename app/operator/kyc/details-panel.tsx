import { Link } from "react-router";
import { Age, When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { identityKinds, secondProofs } from "#core/people/kyc.ts";
import type { Submission } from "#server/kyc/find-submission.ts";
import type { Residence } from "#server/kyc/list-residences.ts";
import styles from "./case.module.css";

interface DetailsPanelProps {
  submission: Submission & { countryName: string };
  residences: Residence[];
  now: Date;
}

/** What a customer says of himself, to be held against the documents. */
export function DetailsPanel({ submission, residences, now }: DetailsPanelProps) {
  const { addressLine, addressLine2, postalCode, city, region } = submission;
  const address = [addressLine, addressLine2, [postalCode, city].filter(Boolean).join(" "), region];
  return (
    <Panel title="What was said">
      <Facts
        facts={[
          { label: "Legal name", value: <strong>{submission.legalName}</strong> },
          { label: "Date of birth", value: submission.dateOfBirth },
          { label: "Country", value: submission.countryName },
          {
            label: "Address",
            value: address.filter((line) => line).map((line) => <div key={line}>{line}</div>),
          },
          {
            label: "Document",
            value: `${identityKinds[submission.identityKind].name}, ${submission.identityExpiresOn ? `valid until ${submission.identityExpiresOn}` : "no expiry date"}`,
          },
          { label: "Second proof", value: secondProofs[submission.secondProof] },
          {
            label: "Submitted",
            value: (
              <span className={layout.inline}>
                <Age at={submission.submittedAt} now={now} /> <When at={submission.submittedAt} />
              </span>
            ),
          },
          {
            label: "Account",
            value: (
              <span className={layout.inline}>
                <Link to={`/operator/customers/${submission.customerId}`}>
                  {submission.firstName} {submission.lastName}
                </Link>
                {submission.email}
              </span>
            ),
          },
          residences.length > 1 && {
            label: "Said before",
            value: residences.slice(1).map(({ name, statedAt, served }) => (
              <div key={statedAt.toISOString()} className={served ? undefined : styles.alarming}>
                {served ? name : `${name}, where we may not serve,`} on <When at={statedAt} />
              </div>
            )),
          },
          { label: "Two verifiers", value: submission.secondReviewReason },
        ]}
      />
    </Panel>
  );
}
