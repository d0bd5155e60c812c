import type { ReactNode } from "react";
import { formatFileSize } from "#app/ui/figures/format-file-size.ts";
import { When } from "#app/ui/figures/when.tsx";
import { type DocumentPurpose, identityKinds, secondProofs } from "#core/people/kyc.ts";
import { formatDay } from "#core/utc-day.ts";
import type { KycStatus } from "#server/kyc/get-kyc.ts";
import type { PageStep } from "./step-list.ts";

interface StepSummaryProps {
  step: PageStep;
  verification: Pick<KycStatus, "residence" | "draft" | "documents">;
}

/** What was said or sent in a step; nothing before it was. */
export function StepSummary({ step, verification }: StepSummaryProps): ReactNode {
  const { residence, draft, documents } = verification;
  switch (step) {
    case "residence":
      return <Said residence={residence} />;
    case "personal-details":
      return draft?.legalName && draft.dateOfBirth
        ? `${draft.legalName}, born ${formatDay(draft.dateOfBirth)}, ${draft.addressLine}, ${draft.city}`
        : null;
    case "identity-kind":
      return draft?.identityKind ? <Kind {...draft} kind={draft.identityKind} /> : null;
    case "second-kind":
      return draft?.secondProof ? secondProofs[draft.secondProof] : null;
    default:
      return <Kept purpose={step} documents={documents} />;
  }
}

function Said({ residence }: Pick<KycStatus, "residence">): ReactNode {
  if (!residence) return null;
  return (
    <>
      {residence.name}, declared on <When at={residence.statedAt} />
      {residence.served ? null : ". The service is not available to its residents."}
    </>
  );
}

function Kind(draft: {
  kind: keyof typeof identityKinds;
  identityExpiresOn: string | null;
}): ReactNode {
  const { name } = identityKinds[draft.kind];
  return draft.identityExpiresOn
    ? `${name}, valid until ${formatDay(draft.identityExpiresOn)}`
    : name;
}

interface KeptProps {
  purpose: DocumentPurpose;
  documents: KycStatus["documents"];
}

function Kept({ purpose, documents }: KeptProps): ReactNode {
  const kept = documents.find((each) => each.purpose === purpose);
  return kept ? `${kept.name}, ${formatFileSize(kept.byteSize)}, encrypted` : null;
}
