import type { Coin } from "#core/asset.ts";
import { firstDay } from "#core/mining/first-day.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { and, desc, eq, isNull, sql } from "#server/platform/sql.ts";
import { marketPrices } from "../markets/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { isUuid } from "./contract.ts";
import type { PricedTerms } from "./plans/plan.ts";
import { plans, planVersions } from "./plans/schema.ts";
import { contractQuotes, contracts, receiptLinks } from "./schema.ts";

const c = contracts;
const q = contractQuotes;
const v = planVersions;

/** Whether less lies in the operator's wallets than the journal says, of any coin: then nothing is sold. */
export async function areSalesStopped(db: Db | Tx): Promise<boolean> {
  const { rows } = await db.execute<{ stopped: boolean }>(
    sql`select exists (select from custody_coverage where units < custody_units) as stopped`,
  );
  return rows[0]?.stopped ?? false;
}

/** A change of a plan's maintenance that has been announced. */
export interface MaintenanceChange {
  effectiveFrom: string;
  usdMicros: bigint;
  reason: string;
  announcedAt: Date;
}

/** A plan as it is offered now, with what of it is left. */
export interface OfferedPlan extends Omit<PricedTerms, "offeredGhs"> {
  planId: string;
  planVersionId: string;
  slug: string;
  version: number;
  /** The same fee as it is today: changes that were announced have come into force since. */
  maintenanceTodayUsdMicros: bigint;
  /** Changes that have not come into force, soonest first. */
  announced: MaintenanceChange[];
  publishedAt: Date;
  /** What can be sold of it for a whole term, from the first day on that the buyer's contract would have. */
  freeGhs: bigint;
  freeUnits: number;
}

/** For whom it is: a first contract starts later than others, so that other days have to be free. */
interface Buyer {
  now: Date;
  /** True, unless one is bought by somebody who bought before. */
  isFirst?: boolean;
}

/** Every plan that is offered, cheapest first. */
export async function listOfferedPlans(db: Db | Tx, buyer: Buyer): Promise<OfferedPlan[]> {
  return selectOffered(db, sql`true`, buyer);
}

/** The plan of this address; null when it is not offered. */
export async function findOfferedPlan(
  db: Db | Tx,
  slug: string,
  buyer: Buyer,
): Promise<OfferedPlan | null> {
  const [plan] = await selectOffered(db, sql`p.slug = ${slug}`, buyer);
  return plan ?? null;
}

/** The plan of this version; null when it is not offered any more. */
export async function findOfferedVersion(
  db: Db | Tx,
  planVersionId: string,
  buyer: Buyer,
): Promise<OfferedPlan | null> {
  if (!isUuid(planVersionId)) return null;
  const [plan] = await selectOffered(db, sql`v.id = ${planVersionId}`, buyer);
  return plan ?? null;
}

interface OfferedRow extends Record<keyof Omit<OfferedPlan, "announced">, string> {
  announced: Array<{
    effectiveFrom: string;
    usdMicros: string;
    reason: string;
    announcedAt: string;
  }>;
}

/**
 * What is free is the least of any day of the term: what the machines can do, less the reserve, what is owed for
 * downtime, and what is sold. Days that nothing was sold for yet have no row; on them all of the capacity is free, and
 * it changes only where a batch does.
 */
async function selectOffered(
  db: Db | Tx,
  which: ReturnType<typeof sql>,
  { now, isFirst = true }: Buyer,
): Promise<OfferedPlan[]> {
  const today = utcDay(now);
  const startsOn = firstDay(now, isFirst);
  const { rows } = await db.execute<Record<string, unknown>>(sql`
    with kept as (
      select coalesce((select reserve_ppm from fleet_reserves order by number desc limit 1), 0) as ppm
    )
    select p.id as "planId", v.id as "planVersionId", p.slug, v.version, v.name, v.unit_ghs as "unitGhs",
           v.term_days as "termDays", v.most_units as "mostUnits", v.price_usd_cents as "priceUsdCents",
           v.machines_usd_cents as "machinesUsdCents", v.setup_usd_cents as "setupUsdCents",
           v.margin_usd_cents as "marginUsdCents", v.maintenance_usd_micros as "maintenanceUsdMicros",
           v.energy_usd_micros as "energyUsdMicros", v.operation_usd_micros as "operationUsdMicros",
           v.maintenance_margin_usd_micros as "maintenanceMarginUsdMicros",
           maintenance_on(v.id, ${today}::date) as "maintenanceTodayUsdMicros",
           v.termination, v.published_at as "publishedAt",
           greatest(0, least(fleet.free, v.offered_ghs - coalesce(sold.ghs, 0))) as "freeGhs",
           coalesce((select json_agg(json_build_object('effectiveFrom', m.effective_from, 'usdMicros', m.usd_micros::text,
                                       'reason', m.reason, 'announcedAt', m.announced_at) order by m.effective_from)
              from maintenance_changes m
             where m.plan_version_id = v.id and m.withdrawn_at is null and m.effective_from > ${today}::date), '[]') as announced
      from plan_versions v
      join plans p on p.id = v.plan_id
     cross join kept
      left join sold_hashrate sold on sold.plan_version_id = v.id
     cross join lateral (
       select ${startsOn}::date as first, ${startsOn}::date + v.term_days - 1 as last
     ) term
     cross join lateral (
       select coalesce(least(
         (select min(d.capacity_ghs - trunc(d.capacity_ghs * kept.ppm / 1000000) - d.owed_ghs - d.sold_ghs)
            from fleet_days d where d.day between term.first and term.last),
         (select min(capacity - trunc(capacity * kept.ppm / 1000000))
            from (select fleet_capacity(changes.day) as capacity
                    from (select term.first as day
                          union select effective_from from machine_batch_states
                           where effective_from > term.first and effective_from <= term.last) changes) each)
       ), 0) as free
     ) fleet
     where v.state = 'published' and ${which}
     order by v.price_usd_cents, v.name`);
  return rows.map((row) => asOffered(row as unknown as OfferedRow));
}

function asOffered(row: OfferedRow): OfferedPlan {
  const unitGhs = BigInt(row.unitGhs);
  const freeGhs = BigInt(row.freeGhs);
  const most = 100_000n;
  const freeUnits = freeGhs / unitGhs;
  return {
    planId: row.planId,
    planVersionId: row.planVersionId,
    slug: row.slug,
    version: Number(row.version),
    name: row.name,
    unitGhs,
    termDays: Number(row.termDays),
    mostUnits: Number(row.mostUnits),
    priceUsdCents: BigInt(row.priceUsdCents),
    machinesUsdCents: BigInt(row.machinesUsdCents),
    setupUsdCents: BigInt(row.setupUsdCents),
    marginUsdCents: BigInt(row.marginUsdCents),
    maintenanceUsdMicros: BigInt(row.maintenanceUsdMicros),
    energyUsdMicros: BigInt(row.energyUsdMicros),
    operationUsdMicros: BigInt(row.operationUsdMicros),
    maintenanceMarginUsdMicros: BigInt(row.maintenanceMarginUsdMicros),
    maintenanceTodayUsdMicros: BigInt(row.maintenanceTodayUsdMicros),
    announced: row.announced.map((change) => ({
      effectiveFrom: change.effectiveFrom,
      usdMicros: BigInt(change.usdMicros),
      reason: change.reason,
      announcedAt: new Date(change.announcedAt),
    })),
    termination: row.termination as OfferedPlan["termination"],
    publishedAt: new Date(row.publishedAt),
    freeGhs,
    freeUnits: Number(freeUnits < most ? freeUnits : most),
  };
}

/** A firm price, and what became of it. */
export interface Quote {
  quoteId: string;
  planVersionId: string;
  planName: string;
  slug: string;
  quantity: number;
  usdCents: bigint;
  coin: Coin;
  /** What is taken, in the coin's smallest unit. */
  units: bigint;
  /** Dollars for one coin, in 10^-8 dollars, when it was agreed on, and whether a demo made it up. */
  priceUsdE8: bigint;
  priceObservedAt: Date;
  simulated: boolean;
  quotedAt: Date;
  expiresAt: Date;
  /** What was bought with it; null: nothing. */
  contractId: string | null;
}

/** A customer's quote; null when there is none of this id, or it is another's. */
export async function findQuote(
  db: Db | Tx,
  customerId: string,
  quoteId: string,
): Promise<Quote | null> {
  if (!isUuid(quoteId)) return null;
  const [quote] = await db
    .select({
      quoteId: q.id,
      planVersionId: q.planVersionId,
      planName: v.name,
      slug: plans.slug,
      quantity: q.quantity,
      usdCents: q.usdCents,
      coin: q.coin,
      units: q.units,
      priceUsdE8: marketPrices.usdE8,
      priceObservedAt: marketPrices.observedAt,
      simulated: marketPrices.simulated,
      quotedAt: q.quotedAt,
      expiresAt: q.expiresAt,
      contractId: c.id,
    })
    .from(q)
    .innerJoin(v, eq(v.id, q.planVersionId))
    .innerJoin(plans, eq(plans.id, v.planId))
    .innerJoin(marketPrices, eq(marketPrices.id, q.priceId))
    .leftJoin(c, eq(c.quoteId, q.id))
    .where(and(eq(q.id, quoteId), eq(q.customerId, customerId)));
  return quote ?? null;
}

const contractColumns = {
  contractId: c.id,
  customerId: c.customerId,
  planVersionId: c.planVersionId,
  planId: v.planId,
  planName: v.name,
  planVersion: v.version,
  slug: plans.slug,
  unitGhs: v.unitGhs,
  quantity: c.quantity,
  ghs: c.ghs,
  termDays: c.termDays,
  usdCents: c.usdCents,
  coin: c.coin,
  units: c.units,
  transferId: c.transferId,
  termsVersion: c.termsVersion,
  termsSha256: sql<string>`encode(${c.termsSha256}, 'hex')`,
  boughtAt: c.boughtAt,
  coolingOffUntil: c.coolingOffUntil,
  startsOn: c.startsOn,
  plannedLastDay: c.plannedLastDay,
  lastDay: c.lastDay,
  endReason: c.endReason,
  endedAt: c.endedAt,
  machinesUsdCents: v.machinesUsdCents,
  setupUsdCents: v.setupUsdCents,
  marginUsdCents: v.marginUsdCents,
  priceUsdCents: v.priceUsdCents,
  maintenanceUsdMicros: v.maintenanceUsdMicros,
  energyUsdMicros: v.energyUsdMicros,
  operationUsdMicros: v.operationUsdMicros,
  maintenanceMarginUsdMicros: v.maintenanceMarginUsdMicros,
  termination: v.termination,
  priceUsdE8: marketPrices.usdE8,
  priceObservedAt: marketPrices.observedAt,
  simulated: marketPrices.simulated,
};

function selectContracts(db: Db | Tx) {
  return db
    .select(contractColumns)
    .from(c)
    .innerJoin(v, eq(v.id, c.planVersionId))
    .innerJoin(plans, eq(plans.id, v.planId))
    .innerJoin(q, eq(q.id, c.quoteId))
    .innerJoin(marketPrices, eq(marketPrices.id, q.priceId));
}

/** A contract with the plan that it was bought under and the price that it was paid at. */
export type Contract = Awaited<ReturnType<typeof selectContracts>>[number];

/** A customer's contract; null when there is none of this id, or it is another's. */
export async function findContract(
  db: Db | Tx,
  customerId: string,
  contractId: string,
): Promise<Contract | null> {
  if (!isUuid(contractId)) return null;
  const [contract] = await selectContracts(db).where(
    and(eq(c.id, contractId), eq(c.customerId, customerId)),
  );
  return contract ?? null;
}

/** A customer's contracts, newest first. */
export async function listContracts(
  db: Db | Tx,
  customerId: string,
  limit = 100,
): Promise<Contract[]> {
  return selectContracts(db)
    .where(eq(c.customerId, customerId))
    .orderBy(desc(c.boughtAt), desc(c.id))
    .limit(limit);
}

/** Whether a customer ever bought one: what comes first can be given back. */
export async function hasBought(db: Db | Tx, customerId: string): Promise<boolean> {
  const earlier = await db
    .select({ id: c.id })
    .from(c)
    .where(eq(c.customerId, customerId))
    .limit(1);
  return earlier.length > 0;
}

/** What a customer paid, in cents, for the contracts that have not ended. */
export async function sumRunning(db: Db | Tx, customerId: string): Promise<bigint> {
  const [row] = await db
    .select({ usdCents: sql<string>`coalesce(sum(${c.usdCents}), 0)` })
    .from(c)
    .where(and(eq(c.customerId, customerId), isNull(c.lastDay)));
  return BigInt(row?.usdCents ?? 0);
}

/** What one TH/s costs a day under a version: as it was published, and every change announced since, oldest first. */
export async function listMaintenance(
  db: Db | Tx,
  planVersionId: string,
): Promise<MaintenanceChange[]> {
  const { rows } = await db.execute<Record<keyof MaintenanceChange, string>>(sql`
    select effective_from::text as "effectiveFrom", usd_micros as "usdMicros", reason, announced_at as "announcedAt"
      from maintenance_changes where plan_version_id = ${planVersionId} and withdrawn_at is null
     order by effective_from`);
  return rows.map((row) => ({
    effectiveFrom: row.effectiveFrom,
    usdMicros: BigInt(row.usdMicros),
    reason: row.reason,
    announcedAt: new Date(row.announcedAt),
  }));
}

/** How much of the fleet is sold and free tomorrow, for the public; null while there is no fleet. */
export async function findCapacity(
  db: Db | Tx,
  now: Date,
): Promise<{ day: string; capacityGhs: bigint; soldGhs: bigint; freeGhs: bigint } | null> {
  const day = addDays(utcDay(now), 1);
  const { rows } = await db.execute<{ capacity: string; sold: string; free: string }>(sql`
    select capacity, sold, greatest(0, capacity - trunc(capacity * ppm / 1000000) - owed - sold) as free
      from (select coalesce(d.capacity_ghs, fleet_capacity(${day}::date)) as capacity,
                   coalesce(d.sold_ghs, 0) as sold, coalesce(d.owed_ghs, 0) as owed,
                   coalesce((select reserve_ppm from fleet_reserves order by number desc limit 1), 0) as ppm
              from (select ${day}::date as day) asked left join fleet_days d using (day)) one`);
  const [row] = rows;
  if (!row || row.capacity === "0") return null;
  return {
    day,
    capacityGhs: BigInt(row.capacity),
    soldGhs: BigInt(row.sold),
    freeGhs: BigInt(row.free),
  };
}

/** The open link of a receipt; null while it is not shared. Who may ask is the caller's to know. */
export async function findReceiptLink(
  db: Db | Tx,
  { contractId, day }: { contractId: string; day: string },
): Promise<string | null> {
  const l = receiptLinks;
  const [link] = await db
    .select({ token: l.token })
    .from(l)
    .where(and(eq(l.contractId, contractId), eq(l.day, day), isNull(l.endedAt)));
  return link?.token ?? null;
}

/** Which receipt a link shows; `taken-back` when its owner ended it, null when there is no such link. */
export async function findSharedReceipt(
  db: Db | Tx,
  token: string,
): Promise<{ contractId: string; day: string } | "taken-back" | null> {
  if (!/^[\w-]{22}$/.test(token)) return null;
  const l = receiptLinks;
  const [link] = await db
    .select({ contractId: l.contractId, day: l.day, endedAt: l.endedAt })
    .from(l)
    .where(eq(l.token, token));
  if (!link) return null;
  return link.endedAt ? "taken-back" : { contractId: link.contractId, day: link.day };
}

/** What a pool paid last, with what proves it; null before the first. */
export async function findLastPayout(db: Db | Tx): Promise<{
  day: string;
  pool: string;
  units: bigint;
  txid: string | null;
  statementSha256: string | null;
  recordedAt: Date;
} | null> {
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    select p.day::text, o.name as pool, p.units, p.txid, encode(s.sha256, 'hex') as sha256, p.decided_at
      from pool_payouts p
      join pools o on o.id = p.pool_id
      left join pool_statements s on s.id = p.statement_id
     where p.state = 'recorded' and p.units > 0
       and not exists (select from pool_payouts next where next.corrects = p.id and next.state = 'recorded')
     order by p.day desc, p.decided_at desc limit 1`);
  const [row] = rows;
  if (!row) return null;
  return {
    day: row["day"] ?? "",
    pool: row["pool"] ?? "",
    units: BigInt(row["units"] ?? 0),
    txid: row["txid"] ?? null,
    statementSha256: row["sha256"] ?? null,
    recordedAt: new Date(row["decided_at"] ?? 0),
  };
}
