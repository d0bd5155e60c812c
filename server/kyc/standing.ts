import {
  type DocumentPurpose,
  type IdentityKind,
  identityKinds,
  type KycPart,
  type KycState,
  neededDocuments,
  type SecondProof,
} from "#core/people/kyc.ts";

/** What a customer can say or send, each by a form of its own. */
export const steps = [
  "personal-details",
  "identity-kind",
  "second-kind",
  "identity-front",
  "identity-back",
  "selfie",
  "proof-of-address",
] as const;
export type Step = (typeof steps)[number];

export interface Facts {
  state: KycState;
  draft: {
    detailsSavedAt: Date | null;
    identityKind: IdentityKind | null;
    secondProof: SecondProof | null;
  } | null;
  /** Purposes for which a file is there. */
  kept: DocumentPurpose[];
  /** What the last decision declined; empty otherwise. */
  declined: KycPart[];
}

/** What is still to be said or sent before a submission. */
export function missingSteps({ draft, kept }: Facts): Step[] {
  const missing: Step[] = draft?.detailsSavedAt ? [] : ["personal-details"];
  if (!draft?.identityKind) missing.push("identity-kind");
  if (!draft?.secondProof) missing.push("second-kind");
  for (const purpose of wanted(draft)) if (!kept.includes(purpose)) missing.push(purpose);
  return missing;
}

/**
 * What may be said or sent now. While a submission waits and while an approval holds: nothing. After a decision that
 * declined: what was declined, and what is not there any more.
 */
export function openSteps(facts: Facts): Step[] {
  const { state, draft, declined } = facts;
  if (state === "submitted" || state === "approved") return [];
  if (state !== "declined") return [...steps];
  const open = new Set<Step>([...missingSteps(facts), ...declined]);
  if (open.has("identity-front")) open.add("identity-kind").add("identity-back");
  // Another second proof may take the place of one that was declined.
  if (draft?.secondProof && open.has(draft.secondProof)) open.add("second-kind");
  if (open.has("second-kind")) open.add("selfie").add("proof-of-address");
  return steps.filter((step) => open.has(step));
}

function wanted(draft: Facts["draft"]): DocumentPurpose[] {
  if (draft?.identityKind && draft.secondProof) {
    return neededDocuments(draft.identityKind, draft.secondProof);
  }
  const purposes: DocumentPurpose[] = [];
  if (draft?.identityKind) purposes.push("identity-front");
  if (draft?.identityKind && identityKinds[draft.identityKind].hasBack) {
    purposes.push("identity-back");
  }
  if (draft?.secondProof) purposes.push(draft.secondProof);
  return purposes;
}
