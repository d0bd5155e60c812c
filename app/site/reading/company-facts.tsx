import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import type { Company } from "#server/content/content.ts";
import { PhoneLink } from "../frame/phone-link.tsx";
import styles from "./reading.module.css";

/** Who runs the site, as far as the operator has entered it; a warning if nothing is entered. */
export function CompanyFacts({ of: company }: { of: Company | null }) {
  return (
    <div className={styles.company}>
      {company === null ? <Unreadable /> : company.name ? <Known of={company} /> : <Unnamed />}
    </div>
  );
}

function Unreadable() {
  return <Notice tone="warning">We cannot show this at the moment. Please try again later.</Notice>;
}

function Unnamed() {
  return (
    <Notice tone="warning" title="The operator has not entered its name yet">
      Do not deposit until you see a company here with an address and a register number.
    </Notice>
  );
}

function Known({ of: company }: { of: Company }) {
  const { email, phone } = company;
  return (
    <Facts
      facts={[
        { label: "Company", value: company.name },
        company.registration !== "" && { label: "Register", value: company.registration },
        company.postalAddress !== "" && {
          label: "Address",
          value: <Lines of={company.postalAddress} />,
        },
        email !== "" && { label: "Email", value: <a href={`mailto:${email}`}>{email}</a> },
        phone !== "" && {
          label: "Phone",
          value: <PhoneLink number={phone} />,
        },
        company.officeHours !== "" && {
          label: "Office hours",
          value: <Lines of={company.officeHours} />,
        },
      ]}
    />
  );
}

function Lines({ of: text }: { of: string }) {
  return text.split(/\r?\n/).map((line) => <div key={line}>{line}</div>);
}
