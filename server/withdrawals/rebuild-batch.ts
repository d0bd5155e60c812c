import { and, asc, desc, eq, inArray, isNull } from "drizzle-orm";
import { Refusal } from "#core/refusal.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { withdrawalTerms } from "#core/withdrawal.ts";
import type { BitcoinNode } from "../chain/bitcoin-node.ts";
import { findWallet } from "../chain/queries.ts";
import { actAsOperator } from "../identity/act-as-operator.ts";
import type { ActingOperator } from "../identity/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusing } from "./as-refusal.ts";
import { buildPayment, type Payment } from "./build-payment.ts";
import { type Coin, outpointOf } from "./coin.ts";
import {
  detailOf,
  insertVersion,
  listCandidates,
  readSources,
  requireFeeRate,
  requireSound,
  takeCoins,
  toPayment,
} from "./form-batch.ts";
import {
  withdrawalBatchCoins,
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawals,
} from "./schema.ts";
import { isUuid, subjectOfBatch } from "./withdrawal.ts";

/**
 * Builds a batch once more: with a higher fee because it is stuck, or without a payment that shall not be made. The new
 * version spends all coins of the one before, so that the chain takes one of them at most. What is left out comes back to
 * its customer when a version without it is confirmed on chain, and not before.
 *
 * @throws Refusal `withdrawals/no-such-batch`, `withdrawals/batch-has-ended`, `withdrawals/changed-meanwhile` when `after` is
 * not the newest version, `withdrawals/reason-missing`, `withdrawals/nobody-left`, `withdrawals/fee-not-higher`,
 * `withdrawals/not-enough-coins`, `withdrawals/fee-too-high`, `withdrawals/bad-fee-rate`, and as `actAsOperator` does
 */
export async function rebuildBatch(
  db: Db,
  operator: ActingOperator,
  wanted: {
    batchId: string;
    /** The number of the version that the form was made of. */
    after: number;
    feeRate: number;
    /** Withdrawals that are not paid any more. */
    leaveOut: string[];
    reason: string;
    key: WalletKey | null;
    node: BitcoinNode;
  },
  now: Date,
): Promise<void> {
  const { batchId, after, feeRate, leaveOut, key, node } = wanted;
  const reason = wanted.reason.trim();
  requireFeeRate(feeRate);
  if (reason === "" || reason.length > withdrawalTerms.reasonMax) {
    throw new Refusal("withdrawals/reason-missing");
  }
  const wallet = key && (await findWallet(db, key));
  if (!key || !wallet) throw new Refusal("withdrawals/no-wallet");
  const own = await listCoins(db, batchId);
  const spare = await listCandidates(db, { walletId: wallet.id, outpoints: [], node }, now).catch(
    () => [],
  );
  const sources = await readSources(node, [...own, ...spare]);
  await refusing(() =>
    db.transaction(async (tx) => {
      const { batch, last } = await lockBatch(tx, batchId);
      if (last.number !== after) throw new Refusal("withdrawals/changed-meanwhile");
      if (batch.walletId !== wallet.id) throw new Refusal("withdrawals/no-wallet");
      const kept = last.pays.filter((id) => !leaveOut.includes(id));
      if (kept.length === 0) throw new Refusal("withdrawals/nobody-left");
      const w = withdrawals;
      const pays = await tx.select().from(w).where(inArray(w.id, kept)).orderBy(asc(w.id));
      const payment = buildPayment({
        ...{ key, sources, feeRate, changeIndex: batch.changeIndex, pays: pays.map(toPayment) },
        required: own.filter((coin) => last.spends.includes(outpointOf(coin))),
        others: spare,
      });
      requireSound(payment, pays);
      requireAnother(last, { feeRate, payment });
      const act = {
        ...{ act: "withdrawals/rebuild-batch" as const, subject: subjectOfBatch(batchId) },
        ...{ detail: { ...detailOf(payment, pays, feeRate), reason }, now },
      };
      await actAsOperator(tx, operator, act, async (inner, madeByAct) => {
        await takeCoins(inner, batchId, payment.coins);
        const made = { madeBy: operator.id, madeByAct, madeAt: now };
        const number = last.number + 1;
        await insertVersion(inner, {
          batchId,
          number,
          feeRate,
          payment,
          pays: kept,
          reason,
          ...made,
        });
      });
    }),
  );
}

/** Nodes take a replacement only for a higher fee and rate (BIP 125), and what was never ordered they do not know. */
function requireAnother(
  last: Pick<
    typeof withdrawalBatchVersions.$inferSelect,
    "orderedAt" | "feeRate" | "feeUnits" | "txid"
  >,
  { feeRate, payment }: { feeRate: number; payment: Payment },
): void {
  if (payment.txid === last.txid) throw new Refusal("withdrawals/nothing-changed");
  const isHigher = feeRate > last.feeRate && payment.feeUnits > last.feeUnits;
  if (last.orderedAt && !isHigher) throw new Refusal("withdrawals/fee-not-higher");
}

async function listCoins(db: Db, batchId: string): Promise<Coin[]> {
  if (!isUuid(batchId)) throw new Refusal("withdrawals/no-such-batch");
  const c = withdrawalBatchCoins;
  const coins = await db
    .select()
    .from(c)
    .where(and(eq(c.batchId, batchId), isNull(c.releasedAt)));
  return coins.map(({ txid, vout, units, branch, derivationIndex: index, blockHash }) => {
    return { txid, vout, units, branch, index, blockHash };
  });
}

/** Takes a batch that goes on, with its newest version, so that one thing happens to it at a time. */
export async function lockBatch(tx: Tx, batchId: string) {
  if (!isUuid(batchId)) throw new Refusal("withdrawals/no-such-batch");
  const b = withdrawalBatches;
  const v = withdrawalBatchVersions;
  const [batch] = await tx.select().from(b).where(eq(b.id, batchId)).for("update");
  const [last] = await tx
    .select()
    .from(v)
    .where(eq(v.batchId, batchId))
    .orderBy(desc(v.number))
    .limit(1);
  if (!batch || !last) throw new Refusal("withdrawals/no-such-batch");
  if (batch.state === "settled" || batch.state === "failed") {
    throw new Refusal("withdrawals/batch-has-ended");
  }
  return { batch, last };
}
