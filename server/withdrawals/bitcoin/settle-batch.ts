import { and, asc, eq, isNull } from "drizzle-orm";
import { utcDay } from "#core/utc-day.ts";
import { postTransfer } from "../../ledger/post-transfer.ts";
import { postTransfers } from "../../ledger/post-transfers.ts";
import { sendNoticeLater } from "../../notices/send-notice.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { giveBack, type Withdrawal } from "../give-back.ts";
import {
  withdrawalBatchCoins,
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawals,
} from "../schema.ts";
import { subjectOf, subjectOfBatch } from "../withdrawal.ts";

const notPaid =
  "Another transaction took the place of the one that paid it, so it cannot leave any more.";

const nothing: { pays: string[]; spends: string[]; txid: string } = {
  pays: [],
  spends: [],
  txid: "",
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
    const sent = await post(tx, paid, txid, now);
    const feeTransferId = version ? await postFee(tx, batchId, version, now) : null;
    const state = version ? ("settled" as const) : ("failed" as const);
    await tx.update(b).set({ state, endedAt: now, feeTransferId }).where(eq(b.id, batchId));
    for (const [i, withdrawal] of paid.entries()) {
      await settle(tx, withdrawal, { transferId: sent[i] ?? "", txid }, now);
    }
    await returnUnpaid(tx, open, pays, now);
    await release(tx, batchId, spends, now);
  });
}

async function findVersion(tx: Tx, id: string | null) {
  if (id === null) return null;
  const v = withdrawalBatchVersions;
  const [version] = await tx.select().from(v).where(eq(v.id, id));
  if (!version) throw new Error(`no version ${id}`);
  return version;
}

/** Customers are locked in the order of their ids. Returns the transfers' ids in the order of the withdrawals. */
async function post(tx: Tx, paid: Withdrawal[], txid: string, now: Date): Promise<string[]> {
  if (paid.length === 0) return [];
  const posted = await postTransfers(
    tx,
    paid.map(({ id, customerId, asset, units, feeUnits, address }) => ({
      ...{ kind: "withdrawal-sent" as const, key: `withdrawal-sent:${id}`, ownerId: customerId },
      ...{ day: utcDay(now), occurredAt: now, source: subjectOf(id) },
      memo: `To ${address}, transaction ${txid}`,
      legs: [
        { account: "held" as const, asset, owner: customerId, units: -units },
        { account: "custody" as const, asset, owner: "house", units: units - feeUnits },
        ...(feeUnits > 0n
          ? [{ account: "withdrawal_fee_revenue" as const, asset, owner: "house", units: feeUnits }]
          : []),
      ],
    })),
  );
  return posted.map(({ transferId }) => transferId);
}

async function postFee(
  tx: Tx,
  batchId: string,
  { feeUnits, txid }: { feeUnits: bigint; txid: string },
  now: Date,
): Promise<string> {
  const { transferId } = await postTransfer(tx, {
    ...{ kind: "network-fee", key: `network-fee:${batchId}`, ownerId: "house" },
    ...{ day: utcDay(now), occurredAt: now, source: subjectOfBatch(batchId) },
    memo: `Transaction ${txid}`,
    legs: [
      { account: "network_fee_expense", asset: "BTC", owner: "house", units: -feeUnits },
      { account: "custody", asset: "BTC", owner: "house", units: feeUnits },
    ],
  });
  return transferId;
}

async function settle(
  tx: Tx,
  withdrawal: Withdrawal,
  { transferId, txid }: { transferId: string; txid: string },
  now: Date,
): Promise<void> {
  const { id, customerId, units, feeUnits, address } = withdrawal;
  await tx
    .update(withdrawals)
    .set({ state: "settled", endedAt: now, endTransferId: transferId })
    .where(eq(withdrawals.id, id));
  const facts = { withdrawalId: id, units: units - feeUnits, address, txid };
  await sendNoticeLater(tx, { customerId, notice: { kind: "withdrawal-settled", ...facts } });
}

async function returnUnpaid(tx: Tx, open: Withdrawal[], pays: string[], now: Date): Promise<void> {
  for (const withdrawal of open) {
    if (!pays.includes(withdrawal.id)) await comeBack(tx, withdrawal, now);
  }
}

async function comeBack(tx: Tx, withdrawal: Withdrawal, now: Date): Promise<void> {
  await giveBack(tx, withdrawal, { state: "returned", endedBy: "chain", reason: notPaid }, now);
  const { id: withdrawalId, customerId, units, address } = withdrawal;
  const facts = { withdrawalId, units, address, reason: notPaid };
  await sendNoticeLater(tx, { customerId, notice: { kind: "withdrawal-returned", ...facts } });
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
