import { randomUUIDv7 } from "node:crypto";
import { type DepositMethod, maxDepositUsdCents } from "#core/payments/deposit.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, eq } from "#server/platform/sql.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { depositSlips, deposits } from "./schema.ts";
import { refusals } from "./slips/refusals.ts";

export interface Submission {
  customerId: string;
  /** Minted with the form. The same key is the same deposit, however often it arrives. */
  submissionKey: string;
  claimedUsdCents: bigint;
  method: DepositMethod;
  /** A draft of this customer, see `keepSlip`. */
  slipId: string;
  /** YYYY-MM-DD; today (UTC) by default. */
  declaredOn?: string;
}

/**
 * Declares a deposit: a claim with a slip, which waits for review. The same submission again, one after
 * another or many at once, is answered as the first was; its own copy of the slip stays a draft.
 * Enqueues the notice to the customer and the comparison of the slip with earlier ones.
 *
 * Refuses with deposits/amount-out-of-range, deposits/slip-not-found (not this customer's, or swept),
 * deposits/slip-already-used, deposits/submission-key-reused (the same key with another body) and deposits/too-many-waiting
 * (`maxWaitingClaims`).
 */
export async function submitDeposit(
  db: Db,
  submission: Submission,
  now: Date,
): Promise<{ depositId: string; repeated: boolean }> {
  const { claimedUsdCents } = submission;
  if (claimedUsdCents <= 0n || claimedUsdCents > maxDepositUsdCents) {
    throw new Refusal("deposits/amount-out-of-range");
  }
  return refusedBy(refusals, () => db.transaction((tx) => take(tx, submission, now)));
}

async function take(tx: Tx, submission: Submission, now: Date) {
  const slip = await lockSlip(tx, submission);
  const first = await findFirst(tx, submission);
  if (first) return repeat(first, submission, slip);
  if (!slip?.storedAt || slip.discardedAt) throw new Refusal("deposits/slip-not-found");
  if (slip.submittedAt) throw new Refusal("deposits/slip-already-used");
  const depositId = await insertDeposit(tx, submission, now);
  // Somebody was quicker with the same key and another copy of the slip.
  if (!depositId) return repeat(await findFirst(tx, submission), submission, slip);
  await tx
    .update(depositSlips)
    .set({ submittedAt: now })
    .where(eq(depositSlips.id, submission.slipId));
  await sendNoticeLater(tx, {
    customerId: submission.customerId,
    notice: {
      kind: "deposit-received",
      depositId,
      method: submission.method,
      usdCents: submission.claimedUsdCents,
    },
  });
  return { depositId, repeated: false };
}

/** Equal submissions with the same slip wait here for the first. */
async function lockSlip(tx: Tx, { customerId, slipId }: Submission) {
  const [slip] = await tx
    .select({
      originalSha256: depositSlips.originalSha256,
      storedAt: depositSlips.storedAt,
      submittedAt: depositSlips.submittedAt,
      discardedAt: depositSlips.discardedAt,
    })
    .from(depositSlips)
    .where(and(eq(depositSlips.id, slipId), eq(depositSlips.customerId, customerId)))
    .for("update");
  return slip;
}

async function findFirst(tx: Tx, { customerId, submissionKey }: Submission) {
  const [first] = await tx
    .select({
      depositId: deposits.id,
      method: deposits.method,
      declaredOn: deposits.declaredOn,
      claimedUsdCents: deposits.claimedUsdCents,
      originalSha256: depositSlips.originalSha256,
    })
    .from(deposits)
    .innerJoin(depositSlips, eq(depositSlips.id, deposits.slipId))
    .where(and(eq(deposits.customerId, customerId), eq(deposits.submissionKey, submissionKey)));
  return first;
}

type First = Awaited<ReturnType<typeof findFirst>>;
type Slip = Awaited<ReturnType<typeof lockSlip>>;

/** Slips are compared by content: who retries without JavaScript uploads the same file again. */
function repeat(first: First, submission: Submission, slip: Slip) {
  const same =
    first &&
    slip &&
    first.method === submission.method &&
    first.claimedUsdCents === submission.claimedUsdCents &&
    first.declaredOn === (submission.declaredOn ?? first.declaredOn) &&
    Buffer.compare(first.originalSha256, slip.originalSha256) === 0;
  if (!same) throw new Refusal("deposits/submission-key-reused");
  return { depositId: first.depositId, repeated: true };
}

async function insertDeposit(tx: Tx, submission: Submission, now: Date): Promise<string | null> {
  const { declaredOn = utcDay(now), ...claim } = submission;
  const [inserted] = await tx
    .insert(deposits)
    .values({
      id: randomUUIDv7(),
      ...claim,
      declaredOn,
      usdCents: claim.claimedUsdCents,
      createdAt: now,
    })
    .onConflictDoNothing({ target: [deposits.customerId, deposits.submissionKey] })
    .returning({ depositId: deposits.id });
  return inserted?.depositId ?? null;
}
