import type { PaymentOutcome } from "#core/payments/withdrawal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import {
  comeBack,
  noteSettled,
  overtakenWords,
  postNetworkFee,
  settleWithdrawals,
} from "../end-withdrawals.ts";
import {
  withdrawalBatches,
  withdrawalPayments,
  withdrawalResolutions,
  withdrawals,
} from "../schema.ts";
import { subjectOf } from "../withdrawal.ts";

/** How a payment ended, and in which block. */
export interface Ending {
  outcome: Exclude<PaymentOutcome, "abandoned">;
  height: number;
  hash: string;
  txid: string;
  /** Wei that the network took of the house; null: it was not ours. */
  feeUnits: bigint | null;
  /** What two people said of it, where the chain's word was not enough. */
  resolution?: { id: string; reason: string };
}

const p = withdrawalPayments;

/** What customers read of payments that moved nothing. */
const reasons: Record<Exclude<Ending["outcome"], "paid" | "undelivered">, string> = {
  reverted:
    "The chain refused the payment: its transaction is in a block and moved nothing. What the network took for it is ours.",
  voided: "It was taken out of its batch before it was paid.",
  overtaken: overtakenWords,
};

function reasonOf(
  outcome: Exclude<Ending["outcome"], "paid">,
  resolution: Ending["resolution"],
): string {
  return outcome === "undelivered" ? (resolution?.reason ?? "") : reasons[outcome];
}

/**
 * Ends a payment whose nonce is taken for good: what was paid has left, what was not comes back, and what the network took is
 * posted as the house's. One commit. With its last payment the batch ends. Whoever comes second changes nothing.
 */
export async function settlePayment(
  db: Db,
  { payment, ending }: { payment: { batchId: string; withdrawalId: string }; ending: Ending },
  now: Date,
): Promise<void> {
  const { batchId, withdrawalId } = payment;
  const { outcome, height, hash, txid, feeUnits, resolution } = ending;
  await db.transaction(async (tx) => {
    const b = withdrawalBatches;
    await tx.select({ id: b.id }).from(b).where(eq(b.id, batchId)).for("update");
    const isOpen = and(eq(p.withdrawalId, withdrawalId), isNull(p.endedAt));
    const [open] = await tx.select().from(p).where(isOpen).for("update");
    const w = withdrawals;
    const [withdrawal] = await tx.select().from(w).where(eq(w.id, withdrawalId)).for("update");
    if (!open || !withdrawal) return;
    const settled = outcome === "paid" ? await settleWithdrawals(tx, [withdrawal], txid, now) : [];
    const fee = { of: withdrawalId, source: subjectOf(withdrawalId), asset: "ETH" as const, txid };
    const feeTransferId = feeUnits
      ? await postNetworkFee(tx, { ...fee, units: feeUnits }, now)
      : null;
    const block = { minedHeight: height, minedHash: hash, minedTxid: txid };
    await tx
      .update(p)
      .set({
        ...block,
        outcome,
        feeUnits,
        feeTransferId,
        resolutionId: resolution?.id,
        endedAt: now,
      })
      .where(isOpen);
    for (const each of settled) await noteSettled(tx, each, txid, now);
    if (outcome !== "paid") await comeBack(tx, withdrawal, reasonOf(outcome, resolution), now);
    await endBatch(tx, batchId, now);
  });
}

/** A payment whose transaction succeeded, while the token announced something else than was ordered. */
export interface ExceptionEnding extends Omit<Ending, "outcome" | "resolution"> {
  outcome: "exception";
  fault: string;
}

/**
 * Says of a payment that people must look at it, and ends it as two of them said of this transaction: it is neither settled nor
 * given back by itself.
 */
export async function settlePaymentException(
  db: Db,
  { payment, ending }: { payment: typeof p.$inferSelect; ending: ExceptionEnding },
  now: Date,
): Promise<void> {
  const { withdrawalId } = payment;
  const { fault, height, hash, txid } = ending;
  if (payment.fault !== fault || payment.minedHash !== hash) {
    await db
      .update(p)
      .set({ fault, minedHeight: height, minedHash: hash, minedTxid: txid })
      .where(and(eq(p.withdrawalId, withdrawalId), isNull(p.endedAt)));
  }
  const r = withdrawalResolutions;
  const stands = and(eq(r.withdrawalId, withdrawalId), eq(r.txid, txid), eq(r.state, "confirmed"));
  const [resolution] = await db.select().from(r).where(stands);
  if (!resolution) return;
  await settlePayment(
    db,
    { payment, ending: { ...ending, outcome: resolution.says, resolution } },
    now,
  );
}

async function endBatch(tx: Tx, batchId: string, now: Date): Promise<void> {
  const payments = await tx.select({ outcome: p.outcome }).from(p).where(eq(p.batchId, batchId));
  if (payments.some(({ outcome }) => outcome === null)) return;
  const state = payments.some(({ outcome }) => outcome === "paid") ? "settled" : "failed";
  const b = withdrawalBatches;
  await tx.update(b).set({ state, endedAt: now }).where(eq(b.id, batchId));
}
