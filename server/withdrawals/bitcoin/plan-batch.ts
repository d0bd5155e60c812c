import { writeFeeRate } from "#core/fee-rate.ts";
import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { withdrawalTerms } from "#core/withdrawal.ts";
import { and, desc, eq, isNull, max, not } from "#server/platform/sql.ts";
import type { BitcoinNode } from "../../chain/bitcoin-node.ts";
import { findWallet } from "../../chain/queries.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { type BatchPlan, type BuiltVersion, toPayment, totalInWords } from "../form-batch.ts";
import type { Withdrawal } from "../give-back.ts";
import { asking } from "../node.ts";
import type { RebuildPlan } from "../rebuild-batch.ts";
import { coinScans, withdrawalBatchCoins, withdrawalBatches } from "../schema.ts";
import { isUuid } from "../withdrawal.ts";
import { buildPayment, type Payment } from "./build-payment.ts";
import { type Coin, outpointOf, toCoin } from "./coin.ts";
import { type RelayTerms, readRelayTerms } from "./relay-terms.ts";
import { withoutTaken } from "./without-taken.ts";

/** A scan of the wallet is too old to build on after this. */
const scanLifeMs = 6 * 3_600_000;
/** The largest of a wallet that a batch chooses from. */
const maxCoins = 200;

interface Wanted {
  /** Satoshis per 1,000 virtual bytes; null: what was typed is no rate. */
  feePerKvb: number | null;
  key: WalletKey | null;
  node: BitcoinNode;
}

/**
 * Plans a batch of bitcoin: one transaction. The node is asked for its tip and for the transactions that the coins come from.
 * Chosen coins (`txid:vout`) are all spent; without any the largest is the anchor, and others join it as they are needed.
 *
 * @throws Refusal `withdrawals/bad-fee-rate`, `withdrawals/fee-not-relayed`, `withdrawals/no-wallet`, `withdrawals/scan-too-old`,
 * `withdrawals/no-such-coin`, `withdrawals/node-does-not-answer`; when it is built `withdrawals/coins-taken`, `withdrawals/not-enough-coins`,
 * `withdrawals/fee-too-high`
 */
export async function planBitcoinBatch(
  db: Db,
  { feePerKvb: given, key, node, outpoints }: Wanted & { outpoints: string[] },
  now: Date,
): Promise<BatchPlan> {
  const feePerKvb = requireFeeRate(given);
  const wallet = key && (await findWallet(db, key));
  if (!key || !wallet) throw new Refusal("withdrawals/no-wallet");
  requireRelayed(feePerKvb, await asking(() => readRelayTerms(node)));
  const candidates = await listCandidates(db, { walletId: wallet.id, outpoints, node }, now);
  const sources = await readSources(node, candidates);
  const { blocks: formedHeight } = await asking(() => node.getBlockchainInfo());
  return {
    ...{ chain: "bitcoin", lockedBy: wallet.id, formedHeight },
    async build(tx, due) {
      const coins = await withoutTaken(tx, candidates);
      const isChosen = outpoints.length > 0;
      if (isChosen && coins.length < candidates.length)
        throw new Refusal("withdrawals/coins-taken");
      const [anchor, ...rest] = coins;
      if (!anchor) throw new Refusal("withdrawals/not-enough-coins");
      const changeIndex = await nextChangeIndex(tx, wallet.id);
      const payment = buildPayment({
        ...{ key, sources, changeIndex, feePerKvb, pays: due.map(toPayment) },
        required: isChosen ? coins : [anchor],
        others: isChosen ? [] : rest,
      });
      const { txid: anchorTxid, vout: anchorVout } = anchor;
      const row = { walletId: wallet.id, changeIndex, anchorTxid, anchorVout };
      return { row, ...toVersion(requireSound(payment, due), due, feePerKvb) };
    },
  };
}

/**
 * Plans another version of a batch of bitcoin, which spends all coins of the one before.
 *
 * @throws Refusal as `planBitcoinBatch` does, and when it is built `withdrawals/fee-not-higher`, `withdrawals/nothing-changed`,
 * `withdrawals/nobody-left`
 */
export async function planBitcoinVersion(
  db: Db,
  { batchId, feePerKvb: given, key, node }: Wanted & { batchId: string },
  now: Date,
): Promise<RebuildPlan> {
  const feePerKvb = requireFeeRate(given);
  const wallet = key && (await findWallet(db, key));
  if (!key || !wallet) throw new Refusal("withdrawals/no-wallet");
  const terms = await asking(() => readRelayTerms(node));
  requireRelayed(feePerKvb, terms);
  const own = await listCoins(db, batchId);
  const spare = await listCandidates(db, { walletId: wallet.id, outpoints: [], node }, now).catch(
    () => [],
  );
  const sources = await readSources(node, [...own, ...spare]);
  return {
    chain: "bitcoin",
    async build(_, { batch, last, pays }) {
      if (batch.walletId !== wallet.id || batch.changeIndex === null) {
        throw new Refusal("withdrawals/no-wallet");
      }
      if (pays.length === 0) throw new Refusal("withdrawals/nobody-left");
      const { changeIndex } = batch;
      const built = buildPayment({
        ...{ key, sources, feePerKvb, changeIndex, pays: pays.map(toPayment) },
        required: own.filter((coin) => last.spends.includes(outpointOf(coin))),
        others: spare,
      });
      const payment = requireSound(built, pays);
      if (payment.txid === last.txid) throw new Refusal("withdrawals/nothing-changed");
      // What was never ordered no node knows.
      if (last.orderedAt && !replaces(payment, feePerKvb, { last, terms }))
        throw new Refusal("withdrawals/fee-not-higher");
      return toVersion(payment, pays, feePerKvb);
    },
  };
}

function toVersion(payment: Payment, paid: Withdrawal[], feePerKvb: number): BuiltVersion {
  const { psbt: unsigned, txid, feeUnits, changeUnits, coins } = payment;
  const spends = coins.map(outpointOf);
  return {
    columns: {
      ...{ feePerKvb, feeUnits, changeUnits, txid, unsigned, spends },
      pays: paid.map(({ id }) => id),
    },
    detail: {
      ...{ payments: paid.length, amount: totalInWords(paid), feeRate: writeFeeRate(feePerKvb) },
      ...{ fee: `${toDecimal(feeUnits, "BTC")} BTC`, txid },
    },
    before: (tx, batchId) => takeCoins(tx, batchId, coins),
  };
}

function requireFeeRate(feePerKvb: number | null): number {
  const { minFeePerKvb, maxFeeRate } = withdrawalTerms;
  const isSound = feePerKvb !== null && feePerKvb >= minFeePerKvb && feePerKvb <= maxFeeRate * 1000;
  if (!isSound) throw new Refusal("withdrawals/bad-fee-rate");
  return feePerKvb;
}

function requireRelayed(feePerKvb: number, { leastPerKvb }: RelayTerms): void {
  if (feePerKvb < leastPerKvb) throw new Refusal("withdrawals/fee-not-relayed");
}

/** Nodes take a replacement only for a higher rate, and a fee that is higher by what its own size costs at least (BIP 125). */
function replaces(
  { feeUnits, vsize }: Payment,
  feePerKvb: number,
  { last, terms }: { last: { feePerKvb: number | null; feeUnits: bigint }; terms: RelayTerms },
): boolean {
  const more = Math.ceil((vsize * terms.incrementPerKvb) / 1000);
  return feePerKvb > (last.feePerKvb ?? 0) && feeUnits >= last.feeUnits + BigInt(Math.max(more, 1));
}

/**
 * The coins of the newest scan, largest first, or those that were chosen of it; as far as nobody has spent them since. A
 * batch whose anchor was spent before it was formed would wait for ever.
 */
async function listCandidates(
  db: Db,
  { walletId, outpoints, node }: { walletId: string; outpoints: string[]; node: BitcoinNode },
  now: Date,
): Promise<Coin[]> {
  const s = coinScans;
  const [scan] = await db
    .select()
    .from(s)
    .where(and(eq(s.walletId, walletId), not(isNull(s.coins))))
    .orderBy(desc(s.askedAt), desc(s.id))
    .limit(1);
  if (!scan?.coins || now.getTime() - scan.askedAt.getTime() > scanLifeMs) {
    throw new Refusal("withdrawals/scan-too-old");
  }
  const coins = scan.coins.map(toCoin).sort((a, b) => (a.units < b.units ? 1 : -1));
  if (outpoints.length === 0) {
    return unspent(node, (await withoutTaken(db, coins)).slice(0, maxCoins));
  }
  const wanted = coins.filter((coin) => outpoints.includes(outpointOf(coin)));
  const chosen = await unspent(node, wanted.slice(0, maxCoins));
  if (chosen.length < new Set(outpoints).size) throw new Refusal("withdrawals/no-such-coin");
  return chosen;
}

async function unspent(node: BitcoinNode, coins: Coin[]): Promise<Coin[]> {
  const found = await asking(() =>
    Promise.all(coins.map(({ txid, vout }) => node.getTxOut(txid, vout))),
  );
  return coins.filter((_, i) => found[i] !== null);
}

/** The whole transactions that coins come from. A node that has pruned one leaves it out: signers then go by the amount. */
async function readSources(node: BitcoinNode, coins: Coin[]): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const { txid, blockHash } of coins) {
    if (sources.has(txid)) continue;
    const found = await node.getRawTransaction(txid, blockHash).catch(() => null);
    if (found) sources.set(txid, found.hex);
  }
  return sources;
}

async function nextChangeIndex(tx: Tx, walletId: string): Promise<number> {
  const b = withdrawalBatches;
  const [last] = await tx
    .select({ highest: max(b.changeIndex) })
    .from(b)
    .where(eq(b.walletId, walletId));
  return (last?.highest ?? -1) + 1;
}

/** A fee above a tenth of what is paid, and above 0.001 BTC, is a slip of the finger. */
function requireSound(payment: Payment | null, paid: Withdrawal[]): Payment {
  if (!payment) throw new Refusal("withdrawals/not-enough-coins");
  const total = paid.reduce((sum, each) => sum + toPayment(each).units, 0n);
  if (payment.feeUnits > 100_000n && payment.feeUnits * 10n > total) {
    throw new Refusal("withdrawals/fee-too-high");
  }
  return payment;
}

async function takeCoins(tx: Tx, batchId: string, coins: Coin[]): Promise<void> {
  if (coins.length === 0) return;
  const rows = coins.map(({ index: derivationIndex, ...coin }) => ({
    ...{ batchId, derivationIndex, ...coin },
  }));
  await tx
    .insert(withdrawalBatchCoins)
    .values(rows)
    .onConflictDoNothing({
      target: [withdrawalBatchCoins.batchId, withdrawalBatchCoins.txid, withdrawalBatchCoins.vout],
    });
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
