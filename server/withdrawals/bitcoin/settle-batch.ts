import { and, asc, eq, isNotNull, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import {
  noteSettled,
  overtakenWords,
  postNetworkFee,
  returnWithdrawals,
  settleWithdrawals,
} from "../end-withdrawals.ts";
import type { Withdrawal } from "../give-back.ts";
import { withdrawalBatches, withdrawalBatchVersions, withdrawals } from "../schema.ts";
import { subjectOfBatch } from "../withdrawal.ts";
import { releaseCoins } from "./release-coins.ts";

type Version = Pick<
  typeof withdrawalBatchVersions.$inferSelect,
  "pays" | "spends" | "feeUnits" | "txid"
>;

/**
 * Ends a batch whose anchor is spent deep enough: what the transaction pays has left, posted once for each, and what it does
 * not pay comes back. One commit; where one of the withdrawals cannot be ended, the batch ends without it, and each withdrawal
 * by itself. Whoever comes second, or with a block that was noted no more, changes nothing.
 *
 * @throws what kept a withdrawal from ending, once all others have ended
 */
export async function settleBatch(
  db: Db,
  { batchId, minedHash }: { batchId: string; minedHash: string },
  now: Date,
): Promise<void> {
  const end = (tx: Tx) => endBatch(tx, { batchId, minedHash }, now);
  try {
    await db.transaction(async (tx) => {
      const ended = await end(tx);
      if (ended) await endWithdrawals(tx, batchId, await lockOpen(tx, batchId), now);
    });
  } catch {
    // Asked again step by step, it says what is wrong.
    await db.transaction(end);
    await endEachWithdrawal(db, batchId, now);
  }
}

/**
 * Ends withdrawals of batches that have ended, each by itself: those that could not be ended with their batch.
 *
 * @throws the first error there was, once all were tried
 */
export async function endWhatIsLeft(db: Db, now: Date): Promise<void> {
  const b = withdrawalBatches;
  const left = await db
    .selectDistinct({ batchId: b.id })
    .from(withdrawals)
    .innerJoin(b, eq(b.id, withdrawals.batchId))
    .where(and(eq(b.chain, "bitcoin"), isNotNull(b.endedAt), isNull(withdrawals.endedAt)));
  const errors: unknown[] = [];
  for (const { batchId } of left) {
    await endEachWithdrawal(db, batchId, now).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

/** Returns whether it did. */
async function endBatch(
  tx: Tx,
  { batchId, minedHash }: { batchId: string; minedHash: string },
  now: Date,
): Promise<boolean> {
  const b = withdrawalBatches;
  const [batch] = await tx.select().from(b).where(eq(b.id, batchId)).for("update");
  if (batch?.minedHash !== minedHash || batch.endedAt) return false;
  const version = await findVersion(tx, batch.minedVersionId);
  const end = version
    ? { state: "settled" as const, feeTransferId: await postFee(tx, batchId, version, now) }
    : { state: "failed" as const };
  await tx
    .update(b)
    .set({ ...end, endedAt: now })
    .where(eq(b.id, batchId));
  await releaseCoins(tx, { batchId, spent: version?.spends ?? [] }, now);
  return true;
}

async function endEachWithdrawal(db: Db, batchId: string, now: Date): Promise<void> {
  const open = await db.select({ id: withdrawals.id }).from(withdrawals).where(isOpenIn(batchId));
  const errors: unknown[] = [];
  for (const { id } of open) {
    const ended = db.transaction(async (tx) => {
      const locked = (await lockOpen(tx, batchId)).filter((each) => each.id === id);
      await endWithdrawals(tx, batchId, locked, now);
    });
    await ended.catch((cause) => {
      errors.push(new Error(`the withdrawal ${id} of an ended batch cannot be ended`, { cause }));
    });
  }
  if (errors.length > 0) throw errors[0];
}

/** Ends withdrawals, which the caller has locked, as the transaction that was mined says. */
async function endWithdrawals(tx: Tx, batchId: string, open: Withdrawal[], now: Date) {
  const b = withdrawalBatches;
  const [batch] = await tx.select({ version: b.minedVersionId }).from(b).where(eq(b.id, batchId));
  const version = await findVersion(tx, batch?.version ?? null);
  const txid = version?.txid ?? "";
  const pays = new Set(version?.pays);
  const paid = open.filter(({ id }) => pays.has(id));
  for (const each of await settleWithdrawals(tx, paid, txid, now)) {
    await noteSettled(tx, each, txid, now);
  }
  const unpaid = open.filter(({ id }) => !pays.has(id));
  await returnWithdrawals(tx, { withdrawals: unpaid, reason: overtakenWords }, now);
}

const isOpenIn = (batchId: string) =>
  and(eq(withdrawals.batchId, batchId), isNull(withdrawals.endedAt));

/** In the order in which their customers' accounts are locked. */
export function lockOpen(tx: Tx, batchId: string): Promise<Withdrawal[]> {
  return tx
    .select()
    .from(withdrawals)
    .where(isOpenIn(batchId))
    .orderBy(asc(withdrawals.customerId), asc(withdrawals.id))
    .for("update");
}

/** Null: no version of the batch was mined. */
async function findVersion(tx: Tx, id: string | null): Promise<Version | null> {
  if (id === null) return null;
  const v = withdrawalBatchVersions;
  const [version] = await tx.select().from(v).where(eq(v.id, id));
  if (!version) throw new Error(`no version ${id}`);
  return version;
}

function postFee(
  tx: Tx,
  batchId: string,
  { feeUnits: units, txid }: Version,
  now: Date,
): Promise<string> {
  const fee = { of: batchId, source: subjectOfBatch(batchId), asset: "BTC" as const };
  return postNetworkFee(tx, { ...fee, units, txid: txid ?? "" }, now);
}
