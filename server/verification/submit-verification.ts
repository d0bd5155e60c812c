import { randomUUIDv7 } from "node:crypto";
import { isOfAge, neededDocuments } from "#core/people/verification.ts";
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
import { getVerification, type Verification } from "./get-verification.ts";
import { lockDraft } from "./lock-draft.ts";
import { receivedMail } from "./mails/received-mail.ts";
import { requireResidence } from "./require-residence.ts";
import { secondReviewReason } from "./risk.ts";
import {
  verificationDocuments,
  verificationSubmissionDocuments,
  verificationSubmissions,
} from "./schema.ts";

interface Context {
  db: Db;
  config: Pick<Config, "siteName" | "appUrl" | "verification">;
}

/**
 * Hands what a customer said and sent to the verifiers: a copy that never changes, with the documents as they are now.
 * Submitting again while it waits is answered as the first time was.
 *
 * Refuses with verification/residence-unknown, verification/residence-refused, verification/incomplete,
 * verification/too-young, verification/document-expired, and verification/not-open after an approval.
 */
export async function submitVerification(
  { db, config }: Context,
  { customerId, ...browser }: { customerId: string } & Browser,
  now: Date,
): Promise<{ submissionId: string }> {
  return db.transaction(async (tx) => {
    await lockDraft(tx, customerId, now);
    const verification = await getVerification(tx, customerId, now);
    const { state, submission } = verification;
    if (state === "submitted" && submission) return { submissionId: submission.id };
    if (state === "approved") throw new Refusal("verification/not-open");
    const country = await requireResidence(tx, customerId);
    const values = requireComplete(verification, now);
    // Of an approval that ended a moment ago, before the worker wrote it down.
    await expireApproval(tx, customerId, now);
    const submissionId = randomUUIDv7();
    await tx.insert(verificationSubmissions).values({
      id: submissionId,
      customerId,
      country,
      ...values,
      secondReviewReason: secondReviewReason(country, config.verification.highRiskCountries),
      submittedAt: now,
    });
    await attachDocuments(tx, submissionId, customerId, values);
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "verification-submitted",
      by: "self",
      ...browser,
      now,
    });
    await tellReceived(tx, config, { customerId, submissionId, now });
    return { submissionId };
  });
}

function requireComplete({ draft, missing }: Verification, now: Date) {
  const incomplete = new Refusal("verification/incomplete");
  if (!draft || missing.length > 0) throw incomplete;
  const { legalName, dateOfBirth, addressLine, city, identityKind, secondProof } = draft;
  if (!legalName || !dateOfBirth || !addressLine || !city || !identityKind || !secondProof) {
    throw incomplete;
  }
  if (!isOfAge(dateOfBirth, terms.minimumAge, now)) throw new Refusal("verification/too-young");
  const { addressLine2, postalCode, region, identityExpiresOn } = draft;
  if (identityExpiresOn !== null && identityExpiresOn < utcDay(now)) {
    throw new Refusal("verification/document-expired");
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
    .select({ documentId: verificationDocuments.id })
    .from(verificationDocuments)
    .where(
      and(
        eq(verificationDocuments.customerId, customerId),
        inArray(verificationDocuments.purpose, needed),
        isNotNull(verificationDocuments.storedAt),
        isNull(verificationDocuments.replacedAt),
        isNull(verificationDocuments.erasingAt),
      ),
    )
    .for("update");
  if (documents.length !== needed.length) throw new Refusal("verification/incomplete");
  await tx
    .insert(verificationSubmissionDocuments)
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
    key: `verification-received:${submissionId}`,
    now,
  });
}
