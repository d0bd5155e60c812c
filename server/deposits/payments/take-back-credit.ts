import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { coinOfMethod } from "#core/payments/deposit.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, eq, inArray, type SQL } from "#server/platform/sql.ts";
import { type LockedPayment, lockPayment, markSettled } from "../../chain/settle-payment.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { postTransfer } from "../../ledger/post-transfer.ts";
import { reverseTransfer } from "../../ledger/reverse-transfer.ts";
import { sendNoticeLater } from "../../notices/send-notice.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import { isCountedAs } from "../is-counted-as.ts";
import { deposits, paymentResolutions } from "../schema.ts";
import { listPaymentsOfDeposit } from "./list-credits-to-settle.ts";

/** The job that mails staff about a credit that is taken back. */
export const notifyStaffJob = "deposits/notify-staff-of-reversal";

/**
 * Takes back what a payment credited, or what staff credited for it, once its block has left the chain or two people said that it
 * was the operator's: by a second transfer, the mirror of the first.
 * Where the coins were used meanwhile, no balance falls below zero: what is there is put aside, the deposit is `orphaned`,
 * and the rest follows as soon as it suffices. Customer and staff are told, once for each. One transaction; locks payment
 * and deposit; repeating it is harmless. `isWhole`: nothing is left to be taken back.
 */
export async function takeBackCredit(
  db: Db,
  { paymentId, now }: { paymentId: string; now: Date },
): Promise<{ isWhole: boolean }> {
  return db.transaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (!payment || payment.counts) return { isWhole: true };
    const deposit = await lockDeposit(tx, payment);
    if (!deposit) {
      await markSettled(tx, paymentId, null);
      return { isWhole: true };
    }
    const because = payment.resolvedAs === "operators" ? "not-yours" : "left-the-chain";
    const since = payment.orphanedAt ?? now;
    const isWhole = await takeBack(tx, deposit, { because, since, now });
    if (isWhole) await markSettled(tx, paymentId, null);
    return { isWhole };
  });
}

/**
 * Takes back a deposit of which two people said that staff approved it by mistake, as `takeBackCredit` does. Its transaction can
 * be approved again afterwards; what the chain shows of it is credited to whose address it paid. One transaction; locks the
 * payments and the deposit; repeating it is harmless.
 */
export async function takeBackMistake(
  db: Db,
  { depositId, now }: { depositId: string; now: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    const paymentIds = await listPaymentsOfDeposit(tx, depositId);
    for (const paymentId of paymentIds) await lockPayment(tx, paymentId);
    const deposit = await lockCredited(tx, eq(deposits.id, depositId));
    if (!deposit?.mistake) return;
    const isWhole = await takeBack(tx, deposit, { because: "mistake", since: now, now });
    if (!isWhole) return;
    for (const paymentId of paymentIds) await markSettled(tx, paymentId, null);
  });
}

interface Cause {
  because: "left-the-chain" | "not-yours" | "mistake";
  since: Date;
  now: Date;
}

/** Whether nothing is left to be taken back. */
async function takeBack(
  tx: Tx,
  deposit: LockedDeposit,
  { because: found, since, now }: Cause,
): Promise<boolean> {
  const because = deposit.mistake === null ? found : "mistake";
  const reversalId = await tryToReverse(tx, deposit, { because, now });
  const orphanedAt = deposit.orphanedAt ?? since;
  const left = reversalId
    ? ({ state: "reversed", reversalId, heldUnits: 0n } as const)
    : {
        state: "orphaned" as const,
        heldUnits: deposit.heldUnits + (await holdWhatIsThere(tx, deposit, now)),
      };
  await tx
    .update(deposits)
    .set({ ...left, orphanedAt })
    .where(eq(deposits.id, deposit.id));
  const isWhole = reversalId !== null;
  await tell(tx, deposit, { because, isDone: isWhole });
  return isWhole;
}

/**
 * Lets a deposit stand again whose payment found its way into another block before its credit was taken back. What was put
 * aside is given back.
 */
export async function keepCredit(
  db: Db,
  { paymentId, now }: { paymentId: string; now: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (!payment?.counts) return;
    const deposit = await lockDeposit(tx, payment);
    if (deposit?.state !== "orphaned" || deposit.mistake !== null) return;
    await release(tx, deposit, now);
    await tx
      .update(deposits)
      .set({ state: "approved", heldUnits: 0n })
      .where(eq(deposits.id, deposit.id));
  });
}

function lockDeposit(tx: Tx, payment: LockedPayment) {
  return lockCredited(tx, isCountedAs(payment));
}

async function lockCredited(tx: Tx, which: SQL | undefined) {
  const [found] = await tx
    .select()
    .from(deposits)
    .where(and(which, inArray(deposits.state, ["approved", "orphaned"])))
    .for("update");
  if (!found) return null;
  const { id, customerId, method, state, orphanedAt, heldUnits } = found;
  const { quantityUnits: units, transferId, txid, resolutionId } = found;
  if (units === null || transferId === null || txid === null) throw new Error("credited whole");
  const credited = { units, transferId, txid, asset: coinOfMethod[method] };
  const mistake = resolutionId && (await findReason(tx, resolutionId));
  return { id, customerId, method, state, orphanedAt, heldUnits, mistake, ...credited };
}
type LockedDeposit = NonNullable<Awaited<ReturnType<typeof lockCredited>>>;

/** Why two people said that an approval was a mistake, as the customer reads it. */
async function findReason(tx: Tx, resolutionId: string): Promise<string> {
  const r = paymentResolutions;
  const [resolution] = await tx.select({ reason: r.reason }).from(r).where(eq(r.id, resolutionId));
  return resolution?.reason ?? "";
}

const memos: Record<Cause["because"], (txid: string) => string> = {
  "left-the-chain": (txid) => `The block with transaction ${txid} is no longer in the chain`,
  "not-yours": (txid) => `Transaction ${txid} paid the operator, not you`,
  mistake: (txid) => `The deposit with transaction ${txid} was approved by mistake`,
};

/** The reversal's id; null, and nothing moved, when the customer has not enough left. */
async function tryToReverse(
  tx: Tx,
  deposit: LockedDeposit,
  { because, now }: Pick<Cause, "because" | "now">,
): Promise<string | null> {
  return unlessSpent(tx, async (inner) => {
    await release(inner, deposit, now);
    const { transferId } = await reverseTransfer(inner, {
      transferId: deposit.transferId,
      key: `deposit-reversal:${deposit.id}`,
      occurredAt: now,
      memo: memos[because](deposit.txid),
    });
    return transferId;
  });
}

async function holdWhatIsThere(tx: Tx, deposit: LockedDeposit, now: Date): Promise<bigint> {
  const { customerId, asset, units, heldUnits } = deposit;
  const { available } = (await getBalances(tx, customerId))[asset];
  const missing = units - heldUnits;
  const wanted = available < missing ? available : missing;
  if (wanted <= 0n) return 0n;
  const moved = await unlessSpent(tx, (inner) =>
    move(inner, deposit, { from: "available", to: "held", units: wanted, now }),
  );
  return moved ? wanted : 0n;
}

async function release(tx: Tx, deposit: LockedDeposit, now: Date): Promise<void> {
  if (deposit.heldUnits === 0n) return;
  await move(tx, deposit, { from: "held", to: "available", units: deposit.heldUnits, now });
}

interface Move {
  from: "available" | "held";
  to: "available" | "held";
  units: bigint;
  now: Date;
}

async function move(
  tx: Tx,
  { id, customerId, asset }: { id: string; customerId: string; asset: Coin },
  { from, to, units, now }: Move,
): Promise<string> {
  const kind = to === "held" ? "hold" : "hold-release";
  const { transferId } = await postTransfer(tx, {
    kind,
    // In a transaction that holds the deposit: nobody posts it twice.
    key: `deposit-${kind}:${randomUUIDv7()}`,
    ownerId: customerId,
    day: utcDay(now),
    occurredAt: now,
    source: `deposit:${id}`,
    memo: "For a deposit whose credit has to be taken back",
    legs: [
      { account: from, asset, owner: customerId, units: -units },
      { account: to, asset, owner: customerId, units },
    ],
  });
  return transferId;
}

/** What happens inside happens whole, or, where a balance does not suffice, not at all. */
async function unlessSpent<T>(tx: Tx, act: (inner: Tx) => Promise<T>): Promise<T | null> {
  try {
    return await tx.transaction(act);
  } catch (error) {
    if (error instanceof Refusal && error.code === "ledger/insufficient-balance") return null;
    throw error;
  }
}

async function tell(
  tx: Tx,
  deposit: LockedDeposit,
  { because, isDone }: { because: Cause["because"]; isDone: boolean },
): Promise<void> {
  if (deposit.state === "orphaned" && !isDone) return;
  const { id: depositId, customerId, method, asset, units, txid, mistake } = deposit;
  const kind = isDone ? ("deposit-reversed" as const) : ("deposit-orphaned" as const);
  const reason = mistake === null ? {} : { reason: mistake };
  const notice = { kind, depositId, method, asset, units, txid, because, ...reason };
  await sendNoticeLater(tx, { customerId, notice });
  await enqueue(tx, notifyStaffJob, { depositId, isDone }, { key: `${kind}:staff:${depositId}` });
}
