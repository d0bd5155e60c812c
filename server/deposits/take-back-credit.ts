import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { coinOfMethod } from "#core/deposit.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { and, eq, inArray } from "#server/platform/sql.ts";
import { type LockedPayment, lockPayment, markSettled } from "../chain/settle-payment.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { getBalances } from "../ledger/queries.ts";
import { reverseTransfer } from "../ledger/reverse-transfer.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db, Tx } from "../platform/database.ts";
import { enqueue } from "../platform/jobs.ts";
import { isCountedAs } from "./is-counted-as.ts";
import { deposits } from "./schema.ts";

/** The job that mails staff about a credit whose block has left the chain. */
export const tellStaffJob = "deposits/tell-staff-of-reversal";

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
    const reversalId = await tryToReverse(tx, deposit, payment, now);
    const orphanedAt = deposit.orphanedAt ?? payment.orphanedAt ?? now;
    if (reversalId) {
      await tx
        .update(deposits)
        .set({ state: "reversed", reversalId, orphanedAt, heldUnits: 0n })
        .where(eq(deposits.id, deposit.id));
      await markSettled(tx, paymentId, null);
    } else {
      const heldUnits = deposit.heldUnits + (await holdWhatIsThere(tx, deposit, now));
      await tx
        .update(deposits)
        .set({ state: "orphaned", orphanedAt, heldUnits })
        .where(eq(deposits.id, deposit.id));
    }
    const isWhole = reversalId !== null;
    await tell(tx, deposit, payment, isWhole);
    return { isWhole };
  });
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
    if (deposit?.state !== "orphaned") return;
    await release(tx, deposit, now);
    await tx
      .update(deposits)
      .set({ state: "approved", heldUnits: 0n })
      .where(eq(deposits.id, deposit.id));
  });
}

async function lockDeposit(tx: Tx, payment: LockedPayment) {
  const [found] = await tx
    .select()
    .from(deposits)
    .where(and(isCountedAs(payment), inArray(deposits.state, ["approved", "orphaned"])))
    .for("update");
  if (!found) return null;
  const { id, customerId, method, state, orphanedAt, heldUnits } = found;
  if (found.quantityUnits === null || found.transferId === null) throw new Error("credited whole");
  const asset = coinOfMethod[method];
  const credited = { units: found.quantityUnits, transferId: found.transferId, asset };
  return { id, customerId, method, state, orphanedAt, heldUnits, ...credited };
}
type LockedDeposit = NonNullable<Awaited<ReturnType<typeof lockDeposit>>>;

/** The reversal's id; null, and nothing moved, when the customer has not enough left. */
async function tryToReverse(
  tx: Tx,
  deposit: LockedDeposit,
  { txid, ruledAs }: LockedPayment,
  now: Date,
): Promise<string | null> {
  return unlessSpent(tx, async (inner) => {
    await release(inner, deposit, now);
    const { transferId } = await reverseTransfer(inner, {
      transferId: deposit.transferId,
      key: `deposit-reversal:${deposit.id}`,
      occurredAt: now,
      memo:
        ruledAs === "operators"
          ? `Transaction ${txid} paid the operator, not you`
          : `The block with transaction ${txid} is no longer in the chain`,
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
  { txid, ruledAs }: LockedPayment,
  isDone: boolean,
): Promise<void> {
  if (deposit.state === "orphaned" && !isDone) return;
  const { id: depositId, customerId, method, asset, units } = deposit;
  const kind = isDone ? ("deposit-reversed" as const) : ("deposit-orphaned" as const);
  const because = ruledAs === "operators" ? ("not-yours" as const) : ("left-the-chain" as const);
  const notice = { kind, depositId, method, asset, units, txid, because };
  await sendNoticeLater(tx, { customerId, notice });
  await enqueue(tx, tellStaffJob, { depositId, isDone }, { key: `${kind}:staff:${depositId}` });
}
