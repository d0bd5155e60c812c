import type { Coin } from "#core/asset.ts";
import type { AbandonmentState } from "#core/payments/withdrawal.ts";
import { utcDay } from "#core/utc-day.ts";
import type { WalletChain, WalletKey } from "#core/wallet/wallet-key.ts";
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  lte,
  or,
  type SQL,
  sql,
} from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { findWallet } from "../../chain/queries.ts";
import { chainReorgs, wallets } from "../../chain/schema.ts";
import { users } from "../../identity/schema.ts";
import type { ConfirmationStep } from "../../platform/config.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { listSpendable } from "../bitcoin/list-spendable.ts";
import { withoutTaken } from "../bitcoin/without-taken.ts";
import {
  coinScans,
  withdrawalAbandonments,
  withdrawalBatches,
  withdrawalBatchTroubles,
  withdrawalBatchVersions,
  withdrawalPayments,
  withdrawals,
  withdrawalTransactions,
} from "../schema.ts";
import { isUuid } from "../withdrawal.ts";
import { coinsOf, isDue } from "./form-batch.ts";

const b = withdrawalBatches;
const v = withdrawalBatchVersions;
const w = withdrawals;
const p = withdrawalPayments;
const t = withdrawalBatchTroubles;
const r = chainReorgs;
const formers = alias(users, "formers");

/** What is paid of each coin. */
export type Totals = Partial<Record<Coin, bigint>>;

function toTotals(sums: Record<string, string>): Totals {
  return Object.fromEntries(Object.entries(sums).map(([coin, units]) => [coin, BigInt(units)]));
}

/** What two people said, or one and another has not yet, of ending a batch without sending it; null: nothing that stands. */
const ending: SQL<Exclude<AbandonmentState, "declined"> | null> = sql`(
  select a.state from withdrawal_abandonments a where a.batch_id = ${b.id} and a.state <> 'declined' limit 1)`;

/** Of the version of a batch that was built last. */
const newest = (what: SQL): SQL<boolean> => sql<boolean>`(
  select ${what} is not null from withdrawal_batch_versions n where n.batch_id = ${b.id} order by n.number desc limit 1)`;

/** Batches, newest first; those that wait for a person before all others. */
export async function listBatches(db: Db | Tx, limit: number) {
  const listed = await db
    .select({
      id: b.id,
      day: b.day,
      state: b.state,
      ending,
      purpose: b.purpose,
      needsTwo: b.needsTwo,
      formedAt: b.formedAt,
      endedAt: b.endedAt,
      isSigned: newest(sql`n.signed_at`),
      isOrdered: newest(sql`n.ordered_at`),
      isMined: sql<boolean>`${b.minedHash} is not null`,
      formedBy: formers.name,
      chain: b.chain,
      payments: sql<number>`(select count(*)::int from withdrawals each where each.batch_id = ${b.id})`,
      totals: sql<Record<string, string>>`(
        select coalesce(jsonb_object_agg(each.asset, each.units::text), '{}') from (
          select asset, sum(units - fee_units) as units from withdrawals where batch_id = ${b.id} group by asset) each)`.mapWith(
        toTotals,
      ),
    })
    .from(b)
    .innerJoin(formers, eq(formers.id, b.formedBy))
    .orderBy(sql`${b.state} not in ('formed', 'broadcast')`, desc(b.formedAt))
    .limit(limit);
  return listed
    .map((batch) => ({ ...batch, waits: waitsForStaff(batch) }))
    .sort(
      (one, other) => Number(other.waits) - Number(one.waits) || +other.formedAt - +one.formedAt,
    );
}

/** Whether a batch, or a version that is to take the place of what was sent, waits to be signed, sent, or for a word on its end. */
function waitsForStaff(batch: {
  isMined: boolean;
  endedAt: Date | null;
  ending: AbandonmentState | null;
  isOrdered: boolean;
}): boolean {
  if (batch.endedAt !== null) return false;
  if (batch.ending !== null) return batch.ending === "open";
  return !batch.isOrdered && !batch.isMined;
}

/** Batches of which something ended in a block above a height, newest first. */
export function listBatchesEndedAbove(db: Db, chain: WalletChain, height: number) {
  const ofBatch = and(eq(p.batchId, b.id), isNotNull(p.endedAt), gt(p.minedHeight, height));
  const isOfPayment = exists(db.select({ id: p.batchId }).from(p).where(ofBatch));
  const isOfBatch = and(isNotNull(b.endedAt), gt(b.minedHeight, height));
  return db
    .select({ id: b.id, day: b.day })
    .from(b)
    .where(and(eq(b.chain, chain), or(isOfBatch, isOfPayment)))
    .orderBy(desc(b.formedAt))
    .limit(50);
}

/** Since when something that a batch had paid is no longer in its block; null: as far as is known all of it is. */
const leftItsBlockAt: SQL<Date | null> = sql`(
  select max(r.found_at) from chain_reorgs r
   where r.chain = ${b.chain}
     and (${b.minedHeight} > r.fork_height and r.found_at > ${b.endedAt}
          or exists (select from withdrawal_payments p
                      where p.batch_id = ${b.id} and p.mined_height > r.fork_height and r.found_at > p.ended_at)))`.mapWith(
  r.foundAt,
);

/** What had settled in a block of Bitcoin that left the chain after a moment, as it was signed, the oldest first. */
export function listLeftOnBitcoin(db: Db, since: Date): Promise<Array<{ raw: Uint8Array | null }>> {
  const hasLeft = and(eq(r.chain, "bitcoin"), gt(r.foundAt, since), gt(r.foundAt, b.endedAt));
  return db
    .selectDistinct({ raw: v.raw, formedAt: b.formedAt })
    .from(b)
    .innerJoin(v, eq(v.id, b.minedVersionId))
    .innerJoin(r, and(hasLeft, gt(b.minedHeight, r.forkHeight)))
    .where(and(eq(b.chain, "bitcoin"), eq(b.state, "settled"), isNotNull(v.raw)))
    .orderBy(asc(b.formedAt));
}

/** The same of Ethereum, by nonce: what has paid, and what took a nonce and paid nobody. */
export function listLeftOnEthereum(
  db: Db,
  since: Date,
): Promise<Array<{ raw: Uint8Array | null }>> {
  const t = withdrawalTransactions;
  const hasLeft = and(eq(r.chain, "ethereum"), gt(r.foundAt, since), gt(r.foundAt, p.endedAt));
  return db
    .selectDistinct({ raw: t.raw, nonce: p.nonce })
    .from(p)
    .innerJoin(t, and(eq(t.withdrawalId, p.withdrawalId), eq(t.txid, p.minedTxid)))
    .innerJoin(r, and(hasLeft, gt(p.minedHeight, r.forkHeight)))
    .where(and(inArray(p.outcome, ["paid", "voided"]), isNotNull(t.raw)))
    .orderBy(asc(p.nonce));
}

/** A batch with its versions, the newest first, and its withdrawals; null when there is none. */
export async function findBatch(db: Db, batchId: string) {
  if (!isUuid(batchId)) return null;
  const [batch] = await db
    .select({
      id: b.id,
      day: b.day,
      state: b.state,
      ending,
      purpose: b.purpose,
      needsTwo: b.needsTwo,
      chain: b.chain,
      anchorTxid: b.anchorTxid,
      anchorVout: b.anchorVout,
      changeIndex: b.changeIndex,
      /** The wallet that pays; null: on Ethereum. */
      wallet: { descriptor: wallets.descriptor, network: wallets.network },
      chainId: b.chainId,
      payer: b.payer,
      formedBy: b.formedBy,
      formerName: formers.name,
      formedAt: b.formedAt,
      broadcastAt: b.broadcastAt,
      minedHeight: b.minedHeight,
      minedHash: b.minedHash,
      minedVersionId: b.minedVersionId,
      endedAt: b.endedAt,
      anchorGoneHeight: b.anchorGoneHeight,
      searchedHeight: b.searchedHeight,
      /** Whether people may end it, since no version of it can be mined. */
      isLost: sql<boolean>`${b.endedAt} is null and may_be_abandoned(withdrawal_batches)`,
      leftItsBlockAt,
    })
    .from(b)
    .innerJoin(formers, eq(formers.id, b.formedBy))
    .leftJoin(wallets, eq(wallets.id, b.walletId))
    .where(eq(b.id, batchId));
  if (!batch) return null;
  const makers = alias(users, "makers");
  const signers = alias(users, "signers");
  const orderers = alias(users, "orderers");
  const versions = await db
    .select({
      id: v.id,
      number: v.number,
      feePerKvb: v.feePerKvb,
      maxFeePerGas: v.maxFeePerGas,
      maxPriorityFeePerGas: v.maxPriorityFeePerGas,
      feeUnits: v.feeUnits,
      changeUnits: v.changeUnits,
      spends: v.spends,
      pays: v.pays,
      txid: v.txid,
      reason: v.reason,
      madeBy: v.madeBy,
      makerName: makers.name,
      madeAt: v.madeAt,
      signerName: signers.name,
      signedAt: v.signedAt,
      ordererName: orderers.name,
      orderedAt: v.orderedAt,
      sentAt: v.sentAt,
      fault: v.fault,
    })
    .from(v)
    .innerJoin(makers, eq(makers.id, v.madeBy))
    .leftJoin(signers, eq(signers.id, v.signedBy))
    .leftJoin(orderers, eq(orderers.id, v.orderedBy))
    .where(eq(v.batchId, batchId))
    .orderBy(desc(v.number));
  const paid = await listPaid(db, batchId);
  const [trouble] = await db.select().from(t).where(eq(t.batchId, batchId));
  const abandonments = await listAbandonments(db, batchId);
  return { ...batch, versions, withdrawals: paid, trouble: trouble ?? null, abandonments };
}
export type BatchCase = NonNullable<Awaited<ReturnType<typeof findBatch>>>;

/** The withdrawals of a batch, the oldest first. */
function listPaid(db: Db, batchId: string) {
  return db
    .select({
      id: w.id,
      asset: w.asset,
      address: w.address,
      units: w.units,
      feeUnits: w.feeUnits,
      state: w.state,
      customerId: w.customerId,
      customerName: users.name,
      nonce: p.nonce,
      outcome: p.outcome,
      fault: p.fault,
      minedHeight: p.minedHeight,
      networkFeeUnits: p.feeUnits,
    })
    .from(w)
    .innerJoin(users, eq(users.id, w.customerId))
    .leftJoin(p, eq(p.withdrawalId, w.id))
    .where(eq(w.batchId, batchId))
    .orderBy(asc(w.requestedAt), asc(w.id));
}

/** What was proposed about ending a batch that cannot be mined, the newest first. */
function listAbandonments(db: Db, batchId: string) {
  const a = withdrawalAbandonments;
  const proposers = alias(users, "proposers");
  const deciders = alias(users, "deciders");
  return db
    .select({
      ...{ id: a.id, reason: a.reason, state: a.state, proposedBy: a.proposedBy },
      ...{ proposerName: proposers.name, proposedAt: a.proposedAt },
      ...{ deciderName: deciders.name, decidedAt: a.decidedAt },
    })
    .from(a)
    .innerJoin(proposers, eq(proposers.id, a.proposedBy))
    .leftJoin(deciders, eq(deciders.id, a.decidedBy))
    .where(eq(a.batchId, batchId))
    .orderBy(desc(a.proposedAt), desc(a.id));
}

/** What is to be signed, and of which chain. */
export interface Unsigned {
  chain: WalletChain;
  bytes: Uint8Array;
}

/** What is to be signed of a version; null when there is none. */
export async function readUnsigned(
  db: Db,
  { batchId, number }: { batchId: string; number: number },
): Promise<Unsigned | null> {
  const [version] = await db
    .select({ chain: b.chain, bytes: v.unsigned })
    .from(v)
    .innerJoin(b, eq(b.id, v.batchId))
    .where(and(eq(v.batchId, batchId), eq(v.number, number)));
  return version ?? null;
}

/** What is approved and due on a chain today: how much of it can leave, and how much waits for another day. */
export async function getDue(db: Db, chain: WalletChain, now: Date) {
  const waits = and(eq(w.state, "approved"), inArray(w.asset, coinsOf(chain)));
  const isToday = and(waits, lte(w.dueOn, utcDay(now)));
  const free = await db
    .select({
      asset: w.asset,
      payments: count(),
      units: sql<string>`sum(${w.units} - ${w.feeUnits})`,
    })
    .from(w)
    .where(isDue(chain, now))
    .groupBy(w.asset);
  const payments = free.reduce((sum, each) => sum + each.payments, 0);
  const all = await db.$count(w, isToday);
  const later = await db.$count(w, and(waits, gt(w.dueOn, utcDay(now))));
  const totals: Totals = Object.fromEntries(free.map(({ asset, units }) => [asset, BigInt(units)]));
  return { payments, totals, stopped: all - payments, later };
}

/** What is ready for a batch of bitcoin: what is due, and what the wallet can spend as far as it was looked for. */
export async function getReadiness(
  db: Db,
  { key, steps }: { key: WalletKey | null; steps: ConfirmationStep[] },
  now: Date,
) {
  return { ...(await getDue(db, "bitcoin", now)), ...(await findCoins(db, key, steps)) };
}

/** The batch on Ethereum that goes on, which the next one waits for; null: none does. */
export async function findOpenEthereumBatch(db: Db): Promise<{ id: string; day: string } | null> {
  const goesOn = and(eq(b.chain, "ethereum"), inArray(b.state, ["formed", "broadcast"]));
  const [open] = await db.select({ id: b.id, day: b.day }).from(b).where(goesOn).limit(1);
  return open ?? null;
}

async function findCoins(db: Db, key: WalletKey | null, steps: ConfirmationStep[]) {
  const wallet = key && (await findWallet(db, key));
  if (!wallet) return { wallet: false, scan: null, coins: [], waiting: [] };
  const s = coinScans;
  const scans = await db
    .select()
    .from(s)
    .where(eq(s.walletId, wallet.id))
    .orderBy(desc(s.askedAt), desc(s.id))
    .limit(20);
  const found = scans.find(({ coins }) => coins !== null);
  const looked = { coins: found?.coins ?? [], height: found?.height ?? 0 };
  const all = await listSpendable(db, { walletId: wallet.id, steps, scan: looked });
  const coins = all.filter(({ waits }) => waits === null);
  const [last] = scans;
  return {
    wallet: true,
    scan: {
      /** Whether one is under way. */
      runs: last !== undefined && last.finishedAt === null,
      fault: last?.fault ?? null,
      askedAt: found?.askedAt ?? null,
      height: found?.height ?? null,
    },
    coins: await withoutTaken(db, coins),
    /** Coins that a batch does not spend yet. */
    waiting: all.filter(({ waits }) => waits !== null),
  };
}
export type Readiness = Awaited<ReturnType<typeof getReadiness>>;
