import { and, asc, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import {
  comeBack,
  noteSettled,
  overtakenWords,
  postNetworkFee,
  settleWithdrawals,
} from "../end-withdrawals.ts";
import {
  withdrawalBatchCoins,
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawals,
} from "../schema.ts";
import { subjectOfBatch } from "../withdrawal.ts";

const nothing: { pays: string[]; spends: string[]; txid: string } = {
  ...{ pays: [], spends: [], txid: "" },
};

/**
 * Ends a batch whose anchor is spent deep enough: what the transaction pays has left, posted once for each, and what it does
 * not pay comes back. One commit. Whoever comes second, or with a block that was noted no more, changes nothing.
 */
export async function settleBatch(
  db: Db,
  { batchId, minedHash }: { batchId: string; minedHash: string },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const b = withdrawalBatches;
    const [batch] = await tx.select().from(b).where(eq(b.id, batchId)).for("update");
    if (batch?.minedHash !== minedHash || batch.endedAt) return;
    const version = await findVersion(tx, batch.minedVersionId);
    const open = await tx
      .select()
      .from(withdrawals)
      .where(and(eq(withdrawals.batchId, batchId), isNull(withdrawals.endedAt)))
      .orderBy(asc(withdrawals.customerId), asc(withdrawals.id))
      .for("update");
    const { pays, spends, txid } = version ?? nothing;
    const paid = open.filter(({ id }) => pays.includes(id));
    const settled = await settleWithdrawals(tx, paid, txid, now);
    const end = version
      ? { state: "settled" as const, feeTransferId: await postFee(tx, batchId, version, now) }
      : { state: "failed" as const };
    await tx
      .update(b)
      .set({ ...end, endedAt: now })
      .where(eq(b.id, batchId));
    for (const each of settled) await noteSettled(tx, each, txid, now);
    const unpaid = open.filter(({ id }) => !pays.includes(id));
    for (const withdrawal of unpaid) await comeBack(tx, withdrawal, overtakenWords, now);
    await release(tx, batchId, spends, now);
  });
}

async function findVersion(tx: Tx, id: string | null) {
  if (id === null) return null;
  const v = withdrawalBatchVersions;
  const [version] = await tx.select().from(v).where(eq(v.id, id));
  if (!version) throw new Error(`no version ${id}`);
  const { pays, spends, feeUnits, txid } = version;
  return { pays, spends, feeUnits, txid: txid ?? "" };
}

function postFee(
  tx: Tx,
  batchId: string,
  { feeUnits: units, txid }: { feeUnits: bigint; txid: string },
  now: Date,
): Promise<string> {
  const fee = { of: batchId, source: subjectOfBatch(batchId), asset: "BTC" as const };
  return postNetworkFee(tx, { ...fee, units, txid }, now);
}

/** Coins that the batch had taken and not spent are free again: nothing that spends them can confirm without the anchor. */
async function release(tx: Tx, batchId: string, spent: string[], now: Date): Promise<void> {
  const c = withdrawalBatchCoins;
  const coins = await tx.select().from(c).where(eq(c.batchId, batchId));
  const free = coins.filter(({ txid, vout }) => !spent.includes(`${txid}:${vout}`));
  for (const { txid, vout } of free) {
    await tx
      .update(c)
      .set({ releasedAt: now })
      .where(and(eq(c.batchId, batchId), eq(c.txid, txid), eq(c.vout, vout)));
  }
}
