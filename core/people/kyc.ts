import { isDay, utcDay } from "../utc-day.ts";

/** Papers that prove who somebody is, and whether they have something on their back. */
export const identityKinds = {
  passport: { name: "Passport", hasBack: false },
  "identity-card": { name: "National identity card", hasBack: true },
  "driving-licence": { name: "Driving licence", hasBack: true },
  "residence-permit": { name: "Residence permit", hasBack: true },
} as const;
export type IdentityKind = keyof typeof identityKinds;

/** The second proof: that the document's holder sent it, or where they live. */
export const secondProofs = {
  selfie: "A photo of you holding the document",
  "proof-of-address": "A proof of address: a bill or a letter of a bank or an authority",
} as const;
export type SecondProof = keyof typeof secondProofs;

/** What a file shows. A customer has at most one current file for each. */
export const documentPurposes = [
  "identity-front",
  "identity-back",
  "selfie",
  "proof-of-address",
] as const;
export type DocumentPurpose = (typeof documentPurposes)[number];

/** What a verifier can decline, each with its reason. */
export const kycParts = ["personal-details", ...documentPurposes] as const;
export type KycPart = (typeof kycParts)[number];

export const partNames: Record<KycPart, string> = {
  "personal-details": "Personal details",
  "identity-front": "Front of the identity document",
  "identity-back": "Back of the identity document",
  selfie: "Photo of you with the document",
  "proof-of-address": "Proof of address",
};

/** A submission waits, then it is approved or declined; an approval expires. */
export const submissionStates = ["submitted", "approved", "declined", "expired"] as const;
export type SubmissionState = (typeof submissionStates)[number];

/** What customers read about their verification. */
export type KycState = "not started" | SubmissionState;

/** An approval holds until the document expires, and never longer than this. */
export const kycYears = 5;

/** The files that a submission needs. */
export function neededDocuments(kind: IdentityKind, second: SecondProof): DocumentPurpose[] {
  return identityKinds[kind].hasBack
    ? ["identity-front", "identity-back", second]
    : ["identity-front", second];
}

/** Whether a person born on this day (YYYY-MM-DD) has reached an age on the UTC day of a moment. */
export function isOfAge(dateOfBirth: string, years: number, now: Date): boolean {
  return addYears(dateOfBirth, years) <= utcDay(now);
}

/** Whether the day is a real one on which a living person may have been born. */
export function isBirthday(text: string, now: Date): boolean {
  return isDay(text) && text <= utcDay(now) && text > addYears(utcDay(now), -130);
}

/** Who is born on 29 February is a year older on 1 March of other years. */
function addYears(day: string, years: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const at = new Date(0);
  at.setUTCFullYear(year + years, month - 1, date);
  return utcDay(at);
}

/** The first moment at which an approval no longer holds: after the document's last day, in five years at the latest. */
export function approvalEndsAt(documentExpiresOn: string | null, approvedAt: Date): Date {
  const latest = new Date(approvedAt);
  latest.setUTCFullYear(latest.getUTCFullYear() + kycYears);
  if (documentExpiresOn === null) return latest;
  const documentEnds = new Date(`${documentExpiresOn}T00:00:00Z`);
  documentEnds.setUTCDate(documentEnds.getUTCDate() + 1);
  return documentEnds < latest ? documentEnds : latest;
}
