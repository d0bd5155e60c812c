import { randomUUIDv7 } from "node:crypto";
import { and, asc, desc, eq, inArray, isNull, lte, max, not, sql } from "drizzle-orm";
import { toDecimal } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { withdrawalTerms } from "#core/withdrawal.ts";
import type { BitcoinNode } from "../chain/bitcoin-node.ts";
import { findWallet } from "../chain/queries.ts";
import { actAsOperator } from "../identity/act-as-operator.ts";
import type { ActingOperator } from "../identity/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusing } from "./as-refusal.ts";
import { buildPayment, type Payment } from "./build-payment.ts";
import { type Coin, outpointOf, toCoin } from "./coin.ts";
import type { Withdrawal } from "./give-back.ts";
import { asking } from "./node.ts";
import {
  coinScans,
  withdrawalBatchCoins,
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawals,
} from "./schema.ts";
import { subjectOfBatch } from "./withdrawal.ts";

/** A scan of the wallet is too old to build on after this. */
const scanLifeMs = 6 * 3_600_000;
/** Enough for everybody's coins in one transaction that nodes relay (100,000 vbytes). */
const maxPayments = 1000;
/** The largest of a wallet that a batch chooses from. */
const maxCoins = 200;

export interface NewBatch {
  /** Minted with the form. The same key is the same batch. */
  submissionKey: string;
  /** Satoshis per virtual byte, 1 to 1000. */
  feeRate: number;
  /** `txid:vout` of the coins to spend; empty: as many as it takes. */
  outpoints: string[];
  /** Above this total, who orders the broadcast must be somebody else. */
  twoPeopleAboveSats: bigint;
}

/**
 * Forms the batch of the day out of all withdrawals that are approved, due and held by nothing, and builds the transaction to
 * be signed. From here on their customers cannot cancel. Batches of one wallet are formed one after the other.
 *
 * Before the database is locked the node is asked for its tip and for the transactions that the coins come from.
 *
 * @throws Refusal `withdrawals/bad-fee-rate`, `withdrawals/no-wallet`, `withdrawals/scan-too-old`, `withdrawals/nothing-due`,
 * `withdrawals/no-such-coin`, `withdrawals/coins-taken`, `withdrawals/not-enough-coins`, `withdrawals/fee-too-high`,
 * `withdrawals/node-does-not-answer`, and as `actAsOperator` does
 */
export async function formBatch(
  db: Db,
  operator: ActingOperator,
  { key, node, ...wanted }: NewBatch & { key: WalletKey | null; node: BitcoinNode },
  now: Date,
): Promise<{ batchId: string }> {
  const { submissionKey, feeRate } = wanted;
  requireFeeRate(feeRate);
  const wallet = key && (await findWallet(db, key));
  if (!key || !wallet) throw new Refusal("withdrawals/no-wallet");
  const { outpoints } = wanted;
  const candidates = await listCandidates(db, { walletId: wallet.id, outpoints, node }, now);
  const sources = await readSources(node, candidates);
  const { blocks: formedHeight } = await asking(() => node.getBlockchainInfo());
  const ground = { ...wanted, key, wallet, candidates, sources, formedHeight };
  return refusing(() =>
    db.transaction(async (tx) => {
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended('withdrawals.batch:' || ${wallet.id}, 0))`,
      );
      const b = withdrawalBatches;
      const [first] = await tx
        .select({ id: b.id })
        .from(b)
        .where(eq(b.submissionKey, submissionKey));
      if (first) return { batchId: first.id };
      const due = await lockDue(tx, now);
      if (due.length === 0) throw new Refusal("withdrawals/nothing-due");
      const plan = await planPayment(tx, ground, due);
      return { batchId: await insertBatch(tx, operator, { ...ground, ...plan, due }, now) };
    }),
  );
}

interface Ground extends NewBatch {
  key: WalletKey;
  wallet: { id: string };
  candidates: Coin[];
  sources: Map<string, string>;
  formedHeight: number;
}

/** Chosen coins are all spent; otherwise the largest is the anchor, and others join it as they are needed. */
async function planPayment(tx: Tx, ground: Ground, due: Withdrawal[]) {
  const { key, wallet, candidates, sources, feeRate, outpoints } = ground;
  const coins = await withoutTaken(tx, candidates);
  const isChosen = outpoints.length > 0;
  if (isChosen && coins.length < candidates.length) throw new Refusal("withdrawals/coins-taken");
  const [anchor, ...rest] = coins;
  if (!anchor) throw new Refusal("withdrawals/not-enough-coins");
  const changeIndex = await nextChangeIndex(tx, wallet.id);
  const payment = buildPayment({
    ...{ key, sources, changeIndex, feeRate, pays: due.map(toPayment) },
    required: isChosen ? coins : [anchor],
    others: isChosen ? [] : rest,
  });
  requireSound(payment, due);
  return { anchor, changeIndex, payment };
}

type Plan = Awaited<ReturnType<typeof planPayment>>;

async function insertBatch(
  tx: Tx,
  operator: ActingOperator,
  batch: Ground & Plan & { due: Withdrawal[] },
  now: Date,
): Promise<string> {
  const { submissionKey, wallet, anchor, changeIndex, payment, due, feeRate, formedHeight } = batch;
  const batchId = randomUUIDv7();
  const total = due.reduce((sum, { units }) => sum + units, 0n);
  const act = {
    ...{ act: "withdrawals/form-batch" as const, subject: subjectOfBatch(batchId) },
    ...{ detail: detailOf(payment, due, feeRate), now },
  };
  await actAsOperator(tx, operator, act, async (inner, formedByAct) => {
    await inner.insert(withdrawalBatches).values({
      ...{ id: batchId, submissionKey, walletId: wallet.id, day: utcDay(now), changeIndex },
      ...{ needsTwo: total > batch.twoPeopleAboveSats, formedHeight },
      ...{ anchorTxid: anchor.txid, anchorVout: anchor.vout },
      ...{ formedBy: operator.id, formedByAct, formedAt: now },
    });
    await takeCoins(inner, batchId, payment.coins);
    const ids = due.map(({ id }) => id);
    await inner
      .update(withdrawals)
      .set({ state: "batched", batchId })
      .where(inArray(withdrawals.id, ids));
    const made = { madeBy: operator.id, madeByAct: formedByAct, madeAt: now };
    await insertVersion(inner, { batchId, number: 1, feeRate, payment, pays: ids, ...made });
  });
  return batchId;
}

export function requireFeeRate(feeRate: number): void {
  if (!Number.isInteger(feeRate) || feeRate < 1 || feeRate > withdrawalTerms.maxFeeRate) {
    throw new Refusal("withdrawals/bad-fee-rate");
  }
}

/**
 * The coins of the newest scan, largest first, or those that were chosen of it; as far as nobody has spent them since. A
 * batch whose anchor was spent before it was formed would wait for ever.
 */
export async function listCandidates(
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

/** Without those that another batch spends. */
async function withoutTaken(db: Db | Tx, coins: Coin[]): Promise<Coin[]> {
  const c = withdrawalBatchCoins;
  const taken = await db
    .select({ txid: c.txid, vout: c.vout })
    .from(c)
    .where(
      and(
        isNull(c.releasedAt),
        inArray(
          c.txid,
          coins.map(({ txid }) => txid),
        ),
      ),
    );
  const names = new Set(taken.map(outpointOf));
  return coins.filter((coin) => !names.has(outpointOf(coin)));
}

/** The whole transactions that coins come from. A node that has pruned one leaves it out: signers then go by the amount. */
export async function readSources(node: BitcoinNode, coins: Coin[]): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const { txid, blockHash } of coins) {
    if (sources.has(txid)) continue;
    const found = await node.getRawTransaction(txid, blockHash).catch(() => null);
    if (found) sources.set(txid, found.hex);
  }
  return sources;
}

/** What is approved, due, and may leave now. */
async function lockDue(tx: Tx, now: Date): Promise<Withdrawal[]> {
  const w = withdrawals;
  const at = sql`${now.toISOString()}::timestamptz`;
  return tx
    .select()
    .from(w)
    .where(
      and(
        eq(w.state, "approved"),
        lte(w.dueOn, utcDay(now)),
        lte(w.payableFrom, now),
        sql`not is_withdrawal_held(${w.id}, ${at})`,
        sql`not is_frozen(${w.customerId})`,
        sql`money_held_until(${w.customerId}, ${at}) is null`,
      ),
    )
    .orderBy(asc(w.requestedAt), asc(w.id))
    .limit(maxPayments)
    .for("update");
}

export function toPayment({ address, units, feeUnits }: Withdrawal) {
  return { address, units: units - feeUnits };
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
export function requireSound(
  payment: Payment | null,
  paid: Withdrawal[],
): asserts payment is Payment {
  if (!payment) throw new Refusal("withdrawals/not-enough-coins");
  const total = paid.reduce((sum, each) => sum + toPayment(each).units, 0n);
  if (payment.feeUnits > 100_000n && payment.feeUnits * 10n > total) {
    throw new Refusal("withdrawals/fee-too-high");
  }
}

export async function takeCoins(tx: Tx, batchId: string, coins: Coin[]): Promise<void> {
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

export function detailOf(payment: Payment, paid: Withdrawal[], feeRate: number) {
  const total = paid.reduce((sum, each) => sum + toPayment(each).units, 0n);
  return {
    ...{ payments: paid.length, amount: `${toDecimal(total, "BTC")} BTC`, feeRate },
    ...{ fee: `${toDecimal(payment.feeUnits, "BTC")} BTC`, txid: payment.txid },
  };
}

export async function insertVersion(
  tx: Tx,
  version: Pick<
    typeof withdrawalBatchVersions.$inferInsert,
    "batchId" | "number" | "feeRate" | "pays" | "reason" | "madeBy" | "madeByAct" | "madeAt"
  > & { payment: Payment },
): Promise<void> {
  const { payment, ...rest } = version;
  const { coins, ...built } = payment;
  const spends = coins.map(outpointOf);
  await tx
    .insert(withdrawalBatchVersions)
    .values({ id: randomUUIDv7(), ...rest, ...built, spends });
}
