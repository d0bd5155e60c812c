import { randomUUIDv7 } from "node:crypto";
import { countryName } from "#core/people/countries.ts";
import { isOfAge, neededDocuments } from "#core/people/kyc.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, eq, inArray, isNotNull, isNull } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import type { Config } from "../platform/config.ts";
import type { Db, Tx } from "../platform/database.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import type { Browser } from "./browser.ts";
import { expireApproval } from "./expire-approval.ts";
import { getKyc, type KycStatus } from "./get-kyc.ts";
import { lockDraft } from "./lock-draft.ts";
import { receivedMail } from "./mails.ts";
import { requireResidence } from "./require-residence.ts";
import { kycDocuments, kycSubmissionDocuments, kycSubmissions } from "./schema.ts";

interface Context {
  db: Db;
  config: Pick<Config, "siteName" | "appUrl" | "kyc">;
}

/**
 * Hands what a customer said and sent to the verifiers: a copy that never changes, with the documents as they are now.
 * Submitting again while it waits is answered as the first time was.
 *
 * Refuses with kyc/residence-unknown, kyc/residence-refused, kyc/incomplete,
 * kyc/too-young, kyc/document-expired, and kyc/not-open after an approval.
 */
export async function submitKyc(
  { db, config }: Context,
  { customerId, ...browser }: { customerId: string } & Browser,
  now: Date,
): Promise<{ submissionId: string }> {
  return db.transaction(async (tx) => {
    await lockDraft(tx, customerId, now);
    const verification = await getKyc(tx, customerId, now);
    const { state, submission } = verification;
    if (state === "submitted" && submission) return { submissionId: submission.id };
    if (state === "approved") throw new Refusal("kyc/not-open");
    const country = await requireResidence(tx, customerId);
    const values = requireComplete(verification, now);
    // Of an approval that ended a moment ago, before the worker wrote it down.
    await expireApproval(tx, customerId, now);
    const submissionId = randomUUIDv7();
    await tx.insert(kycSubmissions).values({
      id: submissionId,
      customerId,
      country,
      ...values,
      secondReviewReason: secondReviewReason(country, config.kyc.highRiskCountries),
      submittedAt: now,
    });
    await attachDocuments(tx, submissionId, customerId, values);
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "kyc-submitted",
      by: "self",
      ...browser,
      now,
    });
    await tellReceived(tx, config, { customerId, submissionId, now });
    return { submissionId };
  });
}

function requireComplete({ draft, missing }: KycStatus, now: Date) {
  const incomplete = new Refusal("kyc/incomplete");
  if (!draft || missing.length > 0) throw incomplete;
  const { legalName, dateOfBirth, addressLine, city, identityKind, secondProof } = draft;
  if (!legalName || !dateOfBirth || !addressLine || !city || !identityKind || !secondProof) {
    throw incomplete;
  }
  if (!isOfAge(dateOfBirth, terms.minimumAge, now)) throw new Refusal("kyc/too-young");
  const { addressLine2, postalCode, region, identityExpiresOn } = draft;
  if (identityExpiresOn !== null && identityExpiresOn < utcDay(now)) {
    throw new Refusal("kyc/document-expired");
  }
  return {
    legalName,
    dateOfBirth,
    addressLine,
    addressLine2,
    postalCode,
    city,
    region,
    identityKind,
    identityExpiresOn,
    secondProof,
  };
}

/** Takes the documents, so that the sweep leaves them alone, and finds out whether it came first. */
async function attachDocuments(
  tx: Tx,
  submissionId: string,
  customerId: string,
  { identityKind, secondProof }: ReturnType<typeof requireComplete>,
): Promise<void> {
  const needed = neededDocuments(identityKind, secondProof);
  const documents = await tx
    .select({ documentId: kycDocuments.id })
    .from(kycDocuments)
    .where(
      and(
        eq(kycDocuments.customerId, customerId),
        inArray(kycDocuments.purpose, needed),
        isNotNull(kycDocuments.storedAt),
        isNull(kycDocuments.replacedAt),
        isNull(kycDocuments.erasingAt),
      ),
    )
    .for("update");
  if (documents.length !== needed.length) throw new Refusal("kyc/incomplete");
  await tx
    .insert(kycSubmissionDocuments)
    .values(documents.map(({ documentId }) => ({ submissionId, documentId, customerId })));
}

async function tellReceived(
  tx: Tx,
  site: Context["config"],
  { customerId, submissionId, now }: { customerId: string; submissionId: string; now: Date },
): Promise<void> {
  const customer = await findCustomer(tx, customerId);
  if (!customer) throw new Error(`no customer ${customerId}`);
  await queueMail(tx, {
    to: customer.email,
    userId: customerId,
    content: receivedMail(site, customer.firstName),
    key: `kyc-received:${submissionId}`,
    now,
  });
}

/**
 * Why a submission needs two verifiers from its beginning; null when one is enough. The one rule: the operator's list of
 * countries. A verifier can ask for a second one besides, see `askSecondReview`.
 */
function secondReviewReason(country: string, highRiskCountries: string[]): string | null {
  if (!highRiskCountries.includes(country)) return null;
  return `${countryName(country)} is on the list of countries with a high risk`;
}
