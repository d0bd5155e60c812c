import type { DocumentPurpose, IdentityKind, SecondProof } from "#core/people/kyc.ts";
import { neededDocuments } from "#core/people/kyc.ts";
import { type CheckedItem, checklistFor } from "#server/kyc/checklist.ts";
import { chooseIdentity } from "#server/kyc/choose-identity.ts";
import { chooseSecondProof } from "#server/kyc/choose-second-proof.ts";
import { keepDocument } from "#server/kyc/keep-document.ts";
import { listSubmittedDocuments } from "#server/kyc/list-documents.ts";
import type { Reviewer } from "#server/kyc/review.ts";
import { saveDetails } from "#server/kyc/save-details.ts";
import { stateResidence } from "#server/kyc/state-residence.ts";
import { submitKyc } from "#server/kyc/submit-kyc.ts";
import { viewDocument } from "#server/kyc/view-document.ts";
import type { Config } from "#server/platform/config.ts";
import type { Db } from "#server/platform/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { newKey, parseKeyRing } from "#server/platform/files/key-ring.ts";
import type { VirusScan } from "#server/platform/files/virus-scan.ts";
import { type Log, openLog } from "#server/platform/log/log.ts";
import { testSite } from "./customer.ts";
import { notScanned, uniquePicture } from "./deposit.ts";

export interface VerifyingProduct {
  db: Db;
  files: FileStore;
  scanForViruses: VirusScan;
  log: Log;
  config: Pick<Config, "siteName" | "appUrl" | "kyc" | "documentKeys">;
}

export const testBrowser = { ipAddress: "192.0.2.1", userAgent: "test" };

export const testDetails = {
  legalName: "Ada King Lovelace",
  dateOfBirth: "1990-12-10",
  addressLine: "12 St James's Square",
  addressLine2: null,
  postalCode: "SW1Y 4JH",
  city: "London",
  region: null,
};

/** What the acts of verification need of a running product. */
export function verifyingProduct(
  parts: { db: Db; files: FileStore },
  wanted: { approvedDocumentDays?: number; highRiskCountries?: string[] } = {},
): VerifyingProduct {
  const documentKeys = parseKeyRing(newKey());
  if (!documentKeys) throw new Error("a new key is a key ring");
  const { approvedDocumentDays = 30, highRiskCountries = ["KP"] } = wanted;
  const config = {
    ...testSite,
    documentKeys,
    kyc: { approvedDocumentDays, highRiskCountries },
  };
  return { ...parts, scanForViruses: notScanned, log: openLog("silent"), config };
}

/** Uploads a picture that looks like no other. */
export async function uploadTestDocument(
  product: VerifyingProduct,
  customerId: string,
  purpose: DocumentPurpose,
  now = new Date(),
): Promise<string> {
  const file = { name: `${purpose}.png`, bytes: await uniquePicture() };
  const upload = { customerId, purpose, file, ...testBrowser };
  return (await keepDocument(product, upload, now)).documentId;
}

/** A customer's verification up to the last button, or past it. */
export async function createTestSubmission(
  product: VerifyingProduct,
  customerId: string,
  wanted: {
    country?: string;
    kind?: IdentityKind;
    second?: SecondProof;
    expiresOn?: string | null;
    now?: Date;
  } = {},
): Promise<{ submissionId: string }> {
  const { country = "GB", kind = "passport", second = "selfie", now = new Date() } = wanted;
  const { db } = product;
  await stateResidence(db, { customerId, country, ...testBrowser }, now);
  await saveDetails(db, customerId, testDetails, now);
  await chooseIdentity(db, customerId, { kind, expiresOn: wanted.expiresOn ?? null }, now);
  await chooseSecondProof(db, customerId, second, now);
  for (const purpose of neededDocuments(kind, second)) {
    await uploadTestDocument(product, customerId, purpose, now);
  }
  return submitKyc(product, { customerId, ...testBrowser }, now);
}

/** Looks at every document of a submission, as an approval needs. */
export async function viewTestDocuments(
  product: VerifyingProduct,
  operator: Reviewer,
  submissionId: string,
  now = new Date(),
): Promise<void> {
  for (const { id } of await listSubmittedDocuments(product.db, submissionId)) {
    await viewDocument(product, operator, { submissionId, documentId: id }, now);
  }
}

/** Every question answered with yes. */
export function allYes(kind: IdentityKind = "passport", second: SecondProof = "selfie") {
  return checklistFor({ identityKind: kind, secondProof: second }).map(
    ({ item }): CheckedItem => ({ item, yes: true, note: "" }),
  );
}
