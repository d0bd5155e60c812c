import type { Coin } from "#core/asset.ts";
import type { Network } from "#core/payments/address.ts";
import { shownDescriptor } from "#core/wallet/node-descriptor.ts";
import { and, asc, desc, eq, isNull, ne, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { adjustmentEvidence } from "../adjustments/schema.ts";
import { wallets } from "../chain/schema.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { withdrawalBatches } from "../withdrawals/schema.ts";
import { isUuid } from "./holding.ts";
import {
  custodyCounts,
  custodyCoverage,
  custodyDays,
  custodyExplanations,
  custodyHoldings,
  walletReadings,
} from "./schema.ts";

const c = custodyCounts;
const h = custodyHoldings;
const counters = alias(users, "counters");
const deciders = alias(users, "deciders");

/** What is known of a coin's coverage: what lay on chain at a moment, and what the journal said of it. */
export type Coverage = Awaited<ReturnType<typeof listCoverage>>[number];

/** The newest figure of each coin that was ever counted, whoever found it. */
export function listCoverage(db: Db | Tx) {
  const v = custodyCoverage;
  return db
    .select({
      holdingId: v.holdingId,
      asset: v.asset,
      units: v.units,
      custodyUnits: v.custodyUnits,
      asOf: v.asOf,
      blockHeight: v.blockHeight,
      source: v.source,
    })
    .from(v)
    .orderBy(asc(v.asset));
}

/** Bitcoin wallets that no node was asked about on a day (null: all of them), with how far their branches were used. */
export function listWalletsToRead(
  db: Db,
  { network, day }: { network: Network; day: string | null },
) {
  const highest = sql`(select max(b.change_index) from ${withdrawalBatches} b where b.wallet_id = ${wallets.id})`;
  return db
    .select({
      walletId: wallets.id,
      descriptor: wallets.descriptor,
      nextIndex: wallets.nextIndex,
      nextChange: sql<number>`coalesce(${highest} + 1, 0)`,
    })
    .from(wallets)
    .where(
      and(
        eq(wallets.chain, "bitcoin"),
        eq(wallets.network, network),
        day === null
          ? undefined
          : sql`not exists (select from ${walletReadings} r where r.wallet_id = ${wallets.id} and r.day = ${day})`,
      ),
    )
    .orderBy(asc(wallets.firstSeenAt));
}
export type WalletToRead = Awaited<ReturnType<typeof listWalletsToRead>>[number];

/** What was last read of each wallet, which is named as its operator knows it; newest first. */
export async function listWalletReadings(db: Db) {
  const r = walletReadings;
  const { chain, network, descriptor } = wallets;
  const readings = await db
    .selectDistinctOn([r.walletId], {
      walletId: r.walletId,
      asset: r.asset,
      wallet: { chain, network, descriptor },
      units: r.units,
      outputs: r.outputs,
      blockHeight: r.blockHeight,
      readAt: r.readAt,
      custodyUnits: r.custodyUnits,
    })
    .from(r)
    .innerJoin(wallets, eq(wallets.id, r.walletId))
    .orderBy(asc(r.walletId), desc(r.readAt));
  return readings.map(({ wallet, ...each }) => ({ ...each, descriptor: shownDescriptor(wallet) }));
}
export type WalletReading = Awaited<ReturnType<typeof listWalletReadings>>[number];

/** Differences that nobody has explained, oldest first. */
export function listOpenDifferences(db: Db | Tx, limit: number) {
  return selectHoldings(db).where(unexplained).orderBy(asc(h.recordedAt), asc(h.id)).limit(limit);
}
export type RecordedHolding = Awaited<ReturnType<typeof listOpenDifferences>>[number];

/** What was recorded last, newest first, with what was said of the differences. */
export function listHoldings(db: Db | Tx, limit: number): Promise<RecordedHolding[]> {
  return selectHoldings(db).orderBy(desc(h.asOf), desc(h.id)).limit(limit);
}

const unexplained = and(ne(h.units, h.custodyUnits), isNull(custodyExplanations.holdingId));

function selectHoldings(db: Db | Tx) {
  const explainers = alias(users, "explainers");
  return db
    .select({
      id: h.id,
      asset: h.asset,
      units: h.units,
      custodyUnits: h.custodyUnits,
      asOf: h.asOf,
      blockHeight: h.blockHeight,
      source: h.source,
      countId: h.countId,
      recordedAt: h.recordedAt,
      explanation: custodyExplanations.words,
      explainedAt: custodyExplanations.explainedAt,
      explainerName: explainers.name,
    })
    .from(h)
    .leftJoin(custodyExplanations, eq(custodyExplanations.holdingId, h.id))
    .leftJoin(explainers, eq(explainers.id, custodyExplanations.operatorId))
    .$dynamic();
}

/** Counts that wait for a second person, oldest first. */
export function listOpenCounts(db: Db | Tx, limit: number) {
  return selectCounts(db).where(eq(c.state, "open")).orderBy(asc(c.proposedAt)).limit(limit);
}

/** One count with its evidence; null when there is none. */
export async function findCount(db: Db | Tx, countId: string) {
  if (!isUuid(countId)) return null;
  const [found] = await selectCounts(db).where(eq(c.id, countId));
  return found ?? null;
}
export type EnteredCount = NonNullable<Awaited<ReturnType<typeof findCount>>>;

function selectCounts(db: Db | Tx) {
  return db
    .select({
      id: c.id,
      asset: c.asset,
      units: c.units,
      asOf: c.asOf,
      blockHeight: c.blockHeight,
      wallets: c.wallets,
      proposedBy: c.proposedBy,
      counterName: counters.name,
      proposedAt: c.proposedAt,
      state: c.state,
      deciderName: deciders.name,
      decidedAt: c.decidedAt,
      rejectionReason: c.rejectionReason,
      evidenceName: adjustmentEvidence.originalName,
      evidenceMediaType: adjustmentEvidence.mediaType,
      evidenceByteSize: adjustmentEvidence.byteSize,
      /** What the journal says of that moment, now. */
      custodyUnits: sql<string>`(select units from custody_at(${c.asOf}) j where j.asset = ${c.asset})`,
    })
    .from(c)
    .innerJoin(counters, eq(counters.id, c.proposedBy))
    .innerJoin(adjustmentEvidence, eq(adjustmentEvidence.id, c.evidenceId))
    .leftJoin(deciders, eq(deciders.id, c.decidedBy))
    .$dynamic();
}

/** A UTC day of a coin: the journal at its end, and the last figure on chain that is of it; null: nobody counted. */
export interface ReconciledDay {
  day: string;
  asset: Coin;
  custodyUnits: bigint;
  holding: { id: string; units: bigint; custodyUnits: bigint; asOf: Date } | null;
}

/** The last days that are over, newest first. */
export async function listReconciledDays(db: Db | Tx, days: number): Promise<ReconciledDay[]> {
  const d = custodyDays;
  const ofDay = db
    .select({
      id: h.id,
      units: h.units,
      holdingCustody: sql`${h.custodyUnits}`.mapWith(h.custodyUnits).as("holding_custody"),
      asOf: h.asOf,
    })
    .from(h)
    .where(
      and(
        eq(h.asset, d.asset),
        sql`${h.asOf} >= ${d.day}::timestamp at time zone 'UTC'`,
        sql`${h.asOf} < (${d.day} + 1)::timestamp at time zone 'UTC'`,
      ),
    )
    .orderBy(desc(h.asOf), desc(h.recordedAt), desc(h.id))
    .limit(1)
    .as("of_day");
  const rows = await db
    .select({
      ...{ day: d.day, asset: d.asset, custodyUnits: d.custodyUnits },
      ...{ id: ofDay.id, units: ofDay.units, at: ofDay.holdingCustody, asOf: ofDay.asOf },
    })
    .from(d)
    .leftJoinLateral(ofDay, sql`true`)
    .orderBy(desc(d.day), asc(d.asset))
    .limit(days * 3);
  return rows.map(({ day, asset, custodyUnits, id, units, at, asOf }) => {
    const isCounted = id !== null && units !== null && at !== null && asOf !== null;
    return {
      day,
      asset,
      custodyUnits,
      holding: isCounted ? { id, units, custodyUnits: at, asOf } : null,
    };
  });
}
