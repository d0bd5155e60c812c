import { and, asc, count, desc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { utcDay } from "#core/utc-day.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { findWallet } from "../../chain/queries.ts";
import { users } from "../../identity/schema.ts";
import type { Db } from "../../platform/database.ts";
import { outpointOf, toCoin } from "../coin.ts";
import {
  coinScans,
  withdrawalBatchCoins,
  withdrawalBatches,
  withdrawalBatchVersions,
  withdrawals,
} from "../schema.ts";
import { isUuid } from "../withdrawal.ts";

const b = withdrawalBatches;
const v = withdrawalBatchVersions;
const w = withdrawals;
const formers = alias(users, "formers");

/** Batches, newest first. */
export function listBatches(db: Db, limit: number) {
  return db
    .select({
      id: b.id,
      day: b.day,
      state: b.state,
      needsTwo: b.needsTwo,
      formedAt: b.formedAt,
      endedAt: b.endedAt,
      formedBy: formers.name,
      payments: sql<number>`(select count(*)::int from withdrawals each where each.batch_id = ${b.id})`,
      units:
        sql<bigint>`(select coalesce(sum(each.units - each.fee_units), 0) from withdrawals each where each.batch_id = ${b.id})`.mapWith(
          BigInt,
        ),
    })
    .from(b)
    .innerJoin(formers, eq(formers.id, b.formedBy))
    .orderBy(desc(b.formedAt))
    .limit(limit);
}

/** A batch with its versions, the newest first, and its withdrawals; null when there is none. */
export async function findBatch(db: Db, batchId: string) {
  if (!isUuid(batchId)) return null;
  const [batch] = await db
    .select({
      id: b.id,
      day: b.day,
      state: b.state,
      needsTwo: b.needsTwo,
      anchorTxid: b.anchorTxid,
      anchorVout: b.anchorVout,
      formedBy: b.formedBy,
      formerName: formers.name,
      formedAt: b.formedAt,
      broadcastAt: b.broadcastAt,
      minedHeight: b.minedHeight,
      minedHash: b.minedHash,
      minedVersionId: b.minedVersionId,
      endedAt: b.endedAt,
    })
    .from(b)
    .innerJoin(formers, eq(formers.id, b.formedBy))
    .where(eq(b.id, batchId));
  if (!batch) return null;
  const makers = alias(users, "makers");
  const signers = alias(users, "signers");
  const orderers = alias(users, "orderers");
  const versions = await db
    .select({
      id: v.id,
      number: v.number,
      feeRate: v.feeRate,
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
  const paid = await db
    .select({
      id: w.id,
      address: w.address,
      units: w.units,
      feeUnits: w.feeUnits,
      state: w.state,
      customerId: w.customerId,
      customerName: users.name,
    })
    .from(w)
    .innerJoin(users, eq(users.id, w.customerId))
    .where(eq(w.batchId, batchId))
    .orderBy(asc(w.requestedAt), asc(w.id));
  return { ...batch, versions, withdrawals: paid };
}
export type BatchCase = NonNullable<Awaited<ReturnType<typeof findBatch>>>;

/** What is to be signed of a version; null when there is none. */
export async function readPsbt(
  db: Db,
  { batchId, number }: { batchId: string; number: number },
): Promise<Uint8Array | null> {
  const [version] = await db
    .select({ psbt: v.psbt })
    .from(v)
    .where(and(eq(v.batchId, batchId), eq(v.number, number)));
  return version?.psbt ?? null;
}

/** What stands ready for a batch today: how many payments, and what the wallet can spend as far as it was looked for. */
export async function getReadiness(db: Db, key: WalletKey | null, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isFree = sql`(not is_withdrawal_held(${w.id}, ${at}) and not is_frozen(${w.customerId})
    and money_held_until(${w.customerId}, ${at}) is null and ${w.payableFrom} <= ${at})`;
  const [due] = await db
    .select({
      payments: sql<number>`count(*) filter (where ${isFree})::int`,
      units: sql<string>`coalesce(sum(${w.units} - ${w.feeUnits}) filter (where ${isFree}), 0)`,
      stopped: sql<number>`count(*) filter (where not ${isFree})::int`,
    })
    .from(w)
    .where(and(eq(w.state, "approved"), lte(w.dueOn, utcDay(now))));
  const [later] = await db
    .select({ payments: count() })
    .from(w)
    .where(and(eq(w.state, "approved"), sql`${w.dueOn} > ${utcDay(now)}::date`));
  return {
    payments: due?.payments ?? 0,
    units: BigInt(due?.units ?? 0),
    stopped: due?.stopped ?? 0,
    later: later?.payments ?? 0,
    ...(await findCoins(db, key)),
  };
}

async function findCoins(db: Db, key: WalletKey | null) {
  const wallet = key && (await findWallet(db, key));
  if (!wallet) return { wallet: false, scan: null, coins: [] };
  const s = coinScans;
  const scans = await db
    .select()
    .from(s)
    .where(eq(s.walletId, wallet.id))
    .orderBy(desc(s.askedAt), desc(s.id))
    .limit(20);
  const found = scans.find(({ coins }) => coins !== null);
  const coins = (found?.coins ?? []).map(toCoin).sort((x, y) => (x.units < y.units ? 1 : -1));
  const c = withdrawalBatchCoins;
  const txids = coins.map(({ txid }) => txid);
  const taken = await db
    .select({ txid: c.txid, vout: c.vout })
    .from(c)
    .where(and(isNull(c.releasedAt), inArray(c.txid, txids)));
  const names = new Set(taken.map(outpointOf));
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
    coins: coins.filter((coin) => !names.has(outpointOf(coin))),
  };
}
export type Readiness = Awaited<ReturnType<typeof getReadiness>>;
