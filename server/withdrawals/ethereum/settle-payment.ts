import type { PaymentOutcome } from "#core/withdrawal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import {
  comeBack,
  noteSettled,
  overtakenWords,
  postNetworkFee,
  settleWithdrawals,
} from "../end-withdrawals.ts";
import { withdrawalBatches, withdrawalPayments, withdrawals } from "../schema.ts";
import { subjectOf } from "../withdrawal.ts";

/** How a payment ended, and in which block. */
export interface Ending {
  outcome: PaymentOutcome;
  height: number;
  hash: string;
  txid: string;
  /** Wei that the network took of the house; null: it was not ours. */
  feeUnits: bigint | null;
}

const p = withdrawalPayments;

/** What customers read of payments that moved nothing. */
const reasons: Record<Exclude<PaymentOutcome, "paid">, string> = {
  reverted:
    "The chain refused the payment: its transaction is in a block and moved nothing. What the network took for it is ours.",
  voided: "It was taken out of its batch before it was paid.",
  overtaken: overtakenWords,
};

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
  const { outcome, height, hash, txid, feeUnits } = ending;
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
      .set({ ...block, outcome, feeUnits, feeTransferId, fault: null, endedAt: now })
      .where(isOpen);
    for (const each of settled) await noteSettled(tx, each, txid, now);
    if (outcome !== "paid") await comeBack(tx, withdrawal, reasons[outcome], now);
    await endBatch(tx, batchId, now);
  });
}

/** Says of a payment that a person must look at it: it is neither settled nor given back. */
export async function noteOdd(
  db: Db,
  { withdrawalId }: { withdrawalId: string },
  fault: string,
): Promise<void> {
  await db
    .update(p)
    .set({ fault })
    .where(and(eq(p.withdrawalId, withdrawalId), isNull(p.endedAt)));
}

async function endBatch(tx: Tx, batchId: string, now: Date): Promise<void> {
  const payments = await tx.select({ outcome: p.outcome }).from(p).where(eq(p.batchId, batchId));
  if (payments.some(({ outcome }) => outcome === null)) return;
  const state = payments.some(({ outcome }) => outcome === "paid") ? "settled" : "failed";
  const b = withdrawalBatches;
  await tx.update(b).set({ state, endedAt: now }).where(eq(b.id, batchId));
}
