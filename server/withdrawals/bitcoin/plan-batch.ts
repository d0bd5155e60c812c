import { isUuid } from "#core/is-uuid.ts";
import { toDecimal } from "#core/money.ts";
import type { Network } from "#core/payments/address.ts";
import { bounds } from "#core/payments/bounds.ts";
import { writeFeeRate } from "#core/payments/fee-rate.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { and, desc, eq, isNull, max, not } from "#server/platform/sql.ts";
import type { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";
import { findWallet } from "../../chain/wallets/find-wallet.ts";
import type { ConfirmationStep } from "../../platform/config.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { findNewestDigest } from "../../proof/find-newest-digest.ts";
import { askInTurn } from "../ask-in-turn.ts";
import {
  type BatchPlan,
  type BuiltVersion,
  listDue,
  toPayment,
  totalInWords,
  type Version,
} from "../batches/form-batch.ts";
import type { RebuildPlan } from "../batches/rebuild-batch.ts";
import type { Withdrawal } from "../give-back.ts";
import { asking } from "../node.ts";
import { coinScans, withdrawalBatchCoins, withdrawalBatches, withdrawals } from "../schema.ts";
import { scriptOf } from "../withdrawal.ts";
import { buildPayment, type Payment } from "./build-payment.ts";
import { type Coin, outpointOf } from "./coin.ts";
import { listKeptTransactions } from "./list-kept-transactions.ts";
import { listSpendable } from "./list-spendable.ts";
import { type RelayTerms, readRelayTerms } from "./relay-terms.ts";
import { withoutTaken } from "./without-taken.ts";

/** A scan of the wallet is too old to build on after this. */
const scanLifeMs = 6 * 3_600_000;
/** Nodes relay 400,000 weight units (Bitcoin Core's MAX_STANDARD_TX_WEIGHT); an input of ours has 230 at least. */
const maxWeight = 400_000;
export const maxCoins = 1_400;
/** Virtual bytes of the largest input and output that we make, and of what else is in a transaction, the mark among it. */
const size = { input: 69, output: 43, rest: 60 + 47 };

interface Wanted {
  /** Satoshis per 1,000 virtual bytes; null: what was typed is no rate. */
  feePerKvb: number | null;
  key: WalletKey | null;
  node: BitcoinNode;
  /** How deep a deposit's block must be, from the configuration. */
  steps: ConfirmationStep[];
}

/**
 * Plans a batch of bitcoin: one transaction. The node is asked for its tip, and whether the coins are still there. Chosen coins
 * (`txid:vout`) are all spent; without any the largest is the anchor, and others join it as they are needed. A payment to an address
 * that no output can name stays out, and one that the coins do not cover.
 *
 * @throws Refusal `withdrawals/bad-fee-rate`, `withdrawals/fee-not-relayed`, `withdrawals/no-wallet`, `withdrawals/scan-too-old`,
 * `withdrawals/no-such-coin`, `withdrawals/coin-waits`, `withdrawals/node-does-not-answer`; when it is built `withdrawals/coins-taken`,
 * `withdrawals/not-enough-coins`, `withdrawals/too-large`, `withdrawals/fee-too-high`
 */
export async function planBitcoinBatch(
  db: Db,
  { feePerKvb: given, key, node, steps, outpoints }: Wanted & { outpoints: string[] },
  now: Date,
): Promise<BatchPlan> {
  const feePerKvb = requireFeeRate(given);
  const wallet = await requireWallet(db, key);
  requireRelayed(feePerKvb, await asking(() => readRelayTerms(node)));
  const due = await listPayable(db, wallet.key.network, now);
  const choice = { walletId: wallet.id, outpoints, node, steps, feePerKvb };
  const candidates = await listCandidates(db, { ...choice, need: costOf(due, feePerKvb) }, now);
  const isChosen = outpoints.length > 0;
  const payable = listCovered(due, candidates, { feePerKvb, isChosen });
  if (payable.length === 0 && due.length > 0) throw new Refusal("withdrawals/not-enough-coins");
  const sources = await readSources(db, node, candidates);
  const { blocks: formedHeight } = await asking(() => node.getBlockchainInfo());
  return {
    chain: "bitcoin",
    purpose: "withdrawals",
    lockedBy: wallet.id,
    formedHeight,
    only: payable.map(({ id }) => id),
    async build(tx, due) {
      const coins = await withoutTaken(tx, candidates);
      if (isChosen && coins.length < candidates.length)
        throw new Refusal("withdrawals/coins-taken");
      const [anchor, ...rest] = coins;
      if (!anchor) throw new Refusal("withdrawals/not-enough-coins");
      const changeIndex = await nextChangeIndex(tx, wallet.id);
      const mark = await findNewestDigest(tx);
      const payment = buildPayment({
        key: wallet.key,
        sources,
        changeIndex,
        feePerKvb,
        pays: due.map(toPayment),
        mark,
        required: isChosen ? coins : [anchor],
        others: isChosen ? [] : rest,
      });
      const { txid: anchorTxid, vout: anchorVout } = anchor;
      const row = { walletId: wallet.id, changeIndex, anchorTxid, anchorVout };
      return { row, ...toVersion(requireSound(payment, due), { paid: due, mark, feePerKvb }) };
    },
  };
}

/**
 * Plans a transaction that pays coins of the wallet to the wallet itself, as one coin: those that were chosen, or else the smallest
 * that are worth more than they cost, as many as a transaction holds.
 *
 * @throws Refusal as `planBitcoinBatch` does, and `withdrawals/nothing-to-consolidate`
 */
export async function planConsolidation(
  db: Db,
  { feePerKvb: given, key, node, steps, outpoints }: Wanted & { outpoints: string[] },
  now: Date,
): Promise<BatchPlan> {
  const feePerKvb = requireFeeRate(given);
  const wallet = await requireWallet(db, key);
  requireRelayed(feePerKvb, await asking(() => readRelayTerms(node)));
  const choice = { walletId: wallet.id, outpoints, node, steps, feePerKvb, need: null };
  const candidates = await listCandidates(db, choice, now);
  if (candidates.length < 2) throw new Refusal("withdrawals/nothing-to-consolidate");
  const sources = await readSources(db, node, candidates);
  const { blocks: formedHeight } = await asking(() => node.getBlockchainInfo());
  return {
    chain: "bitcoin",
    purpose: "consolidation",
    lockedBy: wallet.id,
    formedHeight,
    only: [],
    async build(tx) {
      const coins = await withoutTaken(tx, candidates);
      const [anchor] = coins;
      if (!anchor || coins.length < candidates.length) throw new Refusal("withdrawals/coins-taken");
      const changeIndex = await nextChangeIndex(tx, wallet.id);
      const payment = buildPayment({
        key: wallet.key,
        sources,
        changeIndex,
        feePerKvb,
        pays: [],
        mark: null,
        required: coins,
        others: [],
      });
      const { txid: anchorTxid, vout: anchorVout } = anchor;
      const row = { walletId: wallet.id, changeIndex, anchorTxid, anchorVout };
      return { row, ...toVersion(requireSound(payment, []), { paid: [], mark: null, feePerKvb }) };
    },
  };
}

/**
 * Plans another version of a batch of bitcoin, which spends the coins of the one before as far as they are still there: what was
 * spent elsewhere or has left the chain is dropped, and others take its place. Without payments it pays the wallet itself, so that
 * nothing else can spend the anchor.
 *
 * @throws Refusal as `planBitcoinBatch` does, and `withdrawals/anchor-gone`; when it is built `withdrawals/fee-not-higher`,
 * `withdrawals/nothing-changed`
 */
export async function planBitcoinVersion(
  db: Db,
  { batchId, feePerKvb: given, key, node, steps }: Wanted & { batchId: string },
  now: Date,
): Promise<RebuildPlan> {
  const feePerKvb = requireFeeRate(given);
  const wallet = await requireWallet(db, key);
  const terms = await asking(() => readRelayTerms(node));
  requireRelayed(feePerKvb, terms);
  const all = await listCoins(db, batchId);
  const own = await stillThere(node, all, { withMempool: false });
  const need = costOf(await listPaidBy(db, batchId), feePerKvb);
  const choice = { walletId: wallet.id, outpoints: [], node, steps, feePerKvb, need };
  const spare = await listCandidates(db, choice, now).catch(() => []);
  const sources = await readSources(db, node, [...own, ...spare]);
  return {
    chain: "bitcoin",
    async build(tx, { batch, last, ordered, pays }) {
      if (batch.walletId !== wallet.id || batch.changeIndex === null) {
        throw new Refusal("withdrawals/no-wallet");
      }
      const required = own.filter((coin) => last.spends.includes(outpointOf(coin)));
      const anchor = `${batch.anchorTxid}:${batch.anchorVout}`;
      if (!required.some((coin) => outpointOf(coin) === anchor)) {
        throw new Refusal("withdrawals/anchor-gone");
      }
      const { changeIndex } = batch;
      const mark = pays.length > 0 ? await findNewestDigest(tx) : null;
      const built = buildPayment({
        key: wallet.key,
        sources,
        feePerKvb,
        changeIndex,
        pays: pays.map(toPayment),
        mark,
        required,
        others: pays.length > 0 ? spare : [],
      });
      const payment = requireSound(built, pays);
      if (payment.txid === last.txid || isSame(payment, last, { feePerKvb, pays }))
        throw new Refusal("withdrawals/nothing-changed");
      requireReplaces(payment, feePerKvb, { ordered, own, terms });
      return toVersion(payment, { paid: pays, mark, feePerKvb });
    },
  };
}

/** A version that differs by its mark alone is none: what is at the signer would be worthless. */
function isSame(
  { coins }: Payment,
  last: Version,
  { feePerKvb, pays }: { feePerKvb: number; pays: Withdrawal[] },
): boolean {
  const isEqual = (some: string[], others: string[]) =>
    some.length === others.length && some.every((each) => others.includes(each));
  return (
    feePerKvb === last.feePerKvb &&
    isEqual(coins.map(outpointOf), last.spends) &&
    isEqual(
      pays.map(({ id }) => id),
      last.pays,
    )
  );
}

async function requireWallet(db: Db, key: WalletKey | null) {
  const wallet = key && (await findWallet(db, key));
  if (!key || !wallet) throw new Refusal("withdrawals/no-wallet");
  return { key, id: wallet.id };
}

/** What is due now and can be paid by an output at all: one address that cannot must not keep the others waiting. */
async function listPayable(db: Db, network: Network, now: Date) {
  const due = await listDue(db, "bitcoin", { now });
  return due.filter(({ address }) => scriptOf(address, network) !== null);
}

async function listPaidBy(db: Db, batchId: string) {
  const w = withdrawals;
  return db
    .select()
    .from(w)
    .where(and(eq(w.batchId, batchId), isNull(w.endedAt)));
}

/** In their turn as many as the coins cover in one transaction: what they do not cover keeps nothing waiting that comes after it. */
function listCovered(
  due: Withdrawal[],
  coins: Coin[],
  { feePerKvb, isChosen }: { feePerKvb: number; isChosen: boolean },
): Withdrawal[] {
  const covered: Withdrawal[] = [];
  for (const each of due) {
    const pays = [...covered, each];
    const spent = countCoins(coins, costOf(pays, feePerKvb), feePerKvb);
    if (spent === null) continue;
    const inputs = isChosen ? coins.length : spent;
    const vsize = size.rest + size.output * (pays.length + 1) + size.input * inputs;
    if (vsize * 4 <= maxWeight) covered.push(each);
  }
  return covered;
}

/** How many coins suffice, from the first on; null: all of them do not. */
function countCoins(coins: Coin[], need: bigint, feePerKvb: number): number | null {
  let has = 0n;
  for (const [i, { units }] of coins.entries()) {
    has += units - feeOf(size.input, feePerKvb);
    if (has >= need) return i + 1;
  }
  return null;
}

/** What payments take together, with the fee for them, but not for the coins. */
function costOf(pays: Withdrawal[], feePerKvb: number): bigint {
  const total = pays.reduce((sum, each) => sum + toPayment(each).units, 0n);
  return total + feeOf(size.rest + size.output * (pays.length + 1), feePerKvb);
}

/** At the next whole rate, as `buildPayment` chooses coins. */
function feeOf(vsize: number, feePerKvb: number): bigint {
  return BigInt(vsize * Math.ceil(feePerKvb / 1000));
}

function toVersion(
  payment: Payment,
  { paid, mark, feePerKvb }: { paid: Withdrawal[]; mark: Uint8Array | null; feePerKvb: number },
): BuiltVersion {
  const { psbt: unsigned, txid, feeUnits, changeUnits, coins } = payment;
  const spends = coins.map(outpointOf);
  return {
    columns: {
      feePerKvb,
      feeUnits,
      changeUnits,
      txid,
      mark,
      unsigned,
      spends,
      pays: paid.map(({ id }) => id),
    },
    detail: {
      payments: paid.length,
      amount: totalInWords(paid),
      feeRate: writeFeeRate(feePerKvb),
      fee: `${toDecimal(feeUnits, "BTC")} BTC`,
      txid,
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

/** What was never ordered no node knows, nor what spends a coin that is gone: those need not be outbid. */
function requireReplaces(
  payment: Payment,
  feePerKvb: number,
  { ordered, own, terms }: { ordered: Version | null; own: Coin[]; terms: RelayTerms },
): void {
  const there = new Set(own.map(outpointOf));
  const isKnown = ordered?.spends.every((outpoint) => there.has(outpoint));
  if (ordered && isKnown && !replaces(payment, feePerKvb, { last: ordered, terms })) {
    throw new Refusal("withdrawals/fee-not-higher");
  }
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

interface Choice {
  walletId: string;
  outpoints: string[];
  node: BitcoinNode;
  steps: ConfirmationStep[];
  feePerKvb: number;
  /** So much in all, beyond what the coins cost themselves; null: as many of the smallest as a transaction holds. */
  need: bigint | null;
}

/**
 * The coins of the newest scan that may be spent, largest first until they suffice, or those that were chosen of it; as far as
 * nobody has spent them since. A batch whose anchor was spent before it was formed would wait for ever.
 */
async function listCandidates(
  db: Db,
  { walletId, outpoints, node, steps, feePerKvb, need }: Choice,
  now: Date,
): Promise<Coin[]> {
  const all = await readScan(db, { walletId, steps }, now);
  if (outpoints.length > 0) {
    const wanted = all.filter((coin) => outpoints.includes(outpointOf(coin)));
    if (wanted.some(({ waits }) => waits !== null)) throw new Refusal("withdrawals/coin-waits");
    const chosen = await stillThere(node, wanted.slice(0, maxCoins));
    if (chosen.length < new Set(outpoints).size) throw new Refusal("withdrawals/no-such-coin");
    return chosen;
  }
  const cost = feeOf(size.input, feePerKvb);
  const spendable = all.filter(({ waits, units }) => waits === null && units > cost);
  const coins = await withoutTaken(db, spendable);
  if (need === null) return stillThere(node, coins.slice(-maxCoins));
  const suffices = (found: Coin[]) =>
    found.reduce((sum, { units }) => sum + units - cost, 0n) >= need;
  return stillThere(node, coins.slice(0, maxCoins), { enough: suffices });
}

async function readScan(
  db: Db,
  { walletId, steps }: { walletId: string; steps: ConfirmationStep[] },
  now: Date,
) {
  const s = coinScans;
  const [scan] = await db
    .select()
    .from(s)
    .where(and(eq(s.walletId, walletId), not(isNull(s.coins))))
    .orderBy(desc(s.askedAt), desc(s.id))
    .limit(1);
  const { coins, height, askedAt } = scan ?? {};
  if (!coins || !askedAt || now.getTime() - askedAt.getTime() > scanLifeMs) {
    throw new Refusal("withdrawals/scan-too-old");
  }
  return listSpendable(db, { walletId, steps, scan: { coins, height: height ?? 0 } });
}

/** Of these the coins that nothing has spent, asked for until `enough` of them are there. */
async function stillThere(
  node: BitcoinNode,
  coins: Coin[],
  {
    withMempool = true,
    enough,
  }: { withMempool?: boolean; enough?: (found: Coin[]) => boolean } = {},
): Promise<Coin[]> {
  const there = (found: Array<Coin | null>) => found.filter((each) => each !== null);
  const ask = async (coin: Coin) =>
    (await node.getTxOut(coin.txid, coin.vout, { withMempool })) === null ? null : coin;
  return there(
    await asking(() => askInTurn(coins, ask, enough && ((found) => enough(there(found))))),
  );
}

/**
 * The whole transactions that coins come from: as the watcher read them, as we made them, or from the node. One that none of them
 * has is left out: signers then go by the amount.
 */
async function readSources(db: Db, node: BitcoinNode, coins: Coin[]): Promise<Map<string, string>> {
  const blocks = new Map(coins.map(({ txid, blockHash }) => [txid, blockHash]));
  const sources = await listKeptTransactions(db, [...blocks.keys()]);
  const missing = [...blocks].filter(([txid]) => !sources.has(txid));
  await askInTurn(missing, async ([txid, blockHash]) => {
    const found = await node.getRawTransaction(txid, blockHash).catch(() => null);
    if (found) sources.set(txid, found.hex);
  });
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

/** A fee above a tenth of what is paid or moved, and above `bounds.smallFee`, is a slip of the finger. PostgreSQL asks the same again. */
function requireSound(payment: Payment | null, paid: Withdrawal[]): Payment {
  if (!payment) throw new Refusal("withdrawals/not-enough-coins");
  const total = paid.reduce((sum, each) => sum + toPayment(each).units, 0n);
  if (payment.vsize * 4 > maxWeight) throw new Refusal("withdrawals/too-large");
  const moved = total === 0n ? payment.changeUnits : total;
  if (payment.feeUnits > bounds.smallFee.BTC && payment.feeUnits * 10n > moved) {
    throw new Refusal("withdrawals/fee-too-high");
  }
  return payment;
}

async function takeCoins(tx: Tx, batchId: string, coins: Coin[]): Promise<void> {
  if (coins.length === 0) return;
  const rows = coins.map(({ index: derivationIndex, ...coin }) => ({
    batchId,
    derivationIndex,
    ...coin,
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
