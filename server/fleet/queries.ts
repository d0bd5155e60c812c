import { addDays, startOfDay } from "#core/utc-day.ts";
import { and, asc, desc, eq, gte, isNull, lt, lte, or, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import {
  fleetReserves,
  machineBatches,
  machineBatchStates,
  outages,
  siteEnergyPrices,
  sites,
} from "./schema.ts";

export interface Site {
  id: string;
  name: string;
  place: string;
}

/** The sites by name. */
export function listSites(db: Db | Tx): Promise<Site[]> {
  return db
    .select({ id: sites.id, name: sites.name, place: sites.place })
    .from(sites)
    .orderBy(asc(sites.name))
    .limit(500);
}

/** What was noted of energy prices, newest day first; the first one of a day counts. */
export function listEnergyPrices(db: Db | Tx, { limit }: { limit: number }) {
  return db
    .select({
      number: siteEnergyPrices.number,
      siteId: siteEnergyPrices.siteId,
      siteName: sites.name,
      effectiveFrom: siteEnergyPrices.effectiveFrom,
      usdMicrosPerKwh: siteEnergyPrices.usdMicrosPerKwh,
      evidence: siteEnergyPrices.evidence,
      createdAt: siteEnergyPrices.createdAt,
      by: users.name,
    })
    .from(siteEnergyPrices)
    .innerJoin(sites, eq(sites.id, siteEnergyPrices.siteId))
    .innerJoin(auditLog, eq(auditLog.id, siteEnergyPrices.actionId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .orderBy(desc(siteEnergyPrices.effectiveFrom), desc(siteEnergyPrices.number))
    .limit(limit);
}

/** The word that counts for a site's energy on a day. */
export async function findEnergyPriceOn(db: Db | Tx, siteId: string, day: string) {
  const p = siteEnergyPrices;
  const [price] = await db
    .select({
      effectiveFrom: p.effectiveFrom,
      usdMicrosPerKwh: p.usdMicrosPerKwh,
      evidence: p.evidence,
    })
    .from(p)
    .where(and(eq(p.siteId, siteId), lte(p.effectiveFrom, day)))
    .orderBy(desc(p.effectiveFrom), desc(p.number))
    .limit(1);
  return price ?? null;
}

/** How a batch runs on a day: the last word for it. */
export async function findBatchStateOn(db: Db | Tx, batchId: string, day: string) {
  const s = machineBatchStates;
  const [state] = await db
    .select({
      effectiveFrom: s.effectiveFrom,
      machines: s.machines,
      measuredGhs: s.measuredGhs,
      powerWatts: s.powerWatts,
      evidence: s.evidence,
    })
    .from(s)
    .where(and(eq(s.batchId, batchId), lte(s.effectiveFrom, day)))
    .orderBy(desc(s.effectiveFrom), desc(s.number))
    .limit(1);
  return state ?? null;
}

export interface Batch {
  id: string;
  siteId: string;
  siteName: string;
  model: string;
  nameplateGhs: bigint;
  /** On the day that was asked for; null: it does not run yet. */
  state: Awaited<ReturnType<typeof findBatchStateOn>>;
}

/** The machine batches, by site and model, with how they run on a day. */
export async function listBatches(db: Db | Tx, day: string): Promise<Batch[]> {
  const { rows } = await db.execute<{
    id: string;
    site_id: string;
    site_name: string;
    model: string;
    nameplate_ghs: string;
    effective_from: string | null;
    machines: number;
    measured_ghs: string;
    power_watts: number;
    evidence: string;
  }>(sql`
    select b.id, b.site_id, s.name as site_name, b.model, b.nameplate_ghs,
           state.effective_from::text, state.machines, state.measured_ghs, state.power_watts, state.evidence
      from machine_batches b
      join sites s on s.id = b.site_id
      left join lateral (
        select * from machine_batch_states
         where batch_id = b.id and effective_from <= ${day}
         order by effective_from desc, number desc limit 1) state on true
     order by s.name, b.model, b.created_at
     limit 1000`);
  return rows.map((row) => ({
    id: row.id,
    siteId: row.site_id,
    siteName: row.site_name,
    model: row.model,
    nameplateGhs: BigInt(row.nameplate_ghs),
    state:
      row.effective_from === null
        ? null
        : {
            effectiveFrom: row.effective_from,
            machines: row.machines,
            measuredGhs: BigInt(row.measured_ghs),
            powerWatts: row.power_watts,
            evidence: row.evidence,
          },
  }));
}

export async function findBatch(db: Db | Tx, batchId: string) {
  const [batch] = await db
    .select({
      id: machineBatches.id,
      siteId: machineBatches.siteId,
      siteName: sites.name,
      model: machineBatches.model,
      nameplateGhs: machineBatches.nameplateGhs,
    })
    .from(machineBatches)
    .innerJoin(sites, eq(sites.id, machineBatches.siteId))
    .where(eq(machineBatches.id, batchId));
  return batch ?? null;
}

/** Everything that was noted of a batch, newest day first; the first word of a day counts. */
export function listBatchStates(db: Db | Tx, batchId: string) {
  const s = machineBatchStates;
  return db
    .select({
      number: s.number,
      effectiveFrom: s.effectiveFrom,
      machines: s.machines,
      measuredGhs: s.measuredGhs,
      powerWatts: s.powerWatts,
      evidence: s.evidence,
      createdAt: s.createdAt,
      by: users.name,
    })
    .from(s)
    .innerJoin(auditLog, eq(auditLog.id, s.actionId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(eq(s.batchId, batchId))
    .orderBy(desc(s.effectiveFrom), desc(s.number))
    .limit(500);
}

/** What stands or stood still as it is noted now, what goes on first, then the newest. Also what was taken back. */
export function listOutages(db: Db | Tx, { limit }: { limit: number }) {
  return db
    .select({
      id: outages.id,
      siteName: sites.name,
      model: machineBatches.model,
      startedAt: outages.startedAt,
      endedAt: outages.endedAt,
      lostGhs: outages.lostGhs,
      reason: outages.reason,
      isCorrected: sql<boolean>`${outages.corrects} is not null`,
      withdrawnAt: outages.withdrawnAt,
    })
    .from(outages)
    .innerJoin(sites, eq(sites.id, outages.siteId))
    .leftJoin(machineBatches, eq(machineBatches.id, outages.batchId))
    .where(isNotReplaced)
    .orderBy(
      sql`${outages.endedAt} is not null or ${outages.withdrawnAt} is not null`,
      desc(outages.startedAt),
    )
    .limit(limit);
}

const isNotReplaced = sql`not exists (select from outages later where later.corrects = ${outages.id})`;

/**
 * What stood still in some part of the time from one UTC day to another, both included, the first first: as customers read
 * it, with all corrections.
 */
export async function listOutagesBetween(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<Outage[]> {
  const [begin, end] = [startOfDay(from), startOfDay(addDays(until, 1))];
  return db
    .select({
      siteName: sites.name,
      startedAt: outages.startedAt,
      endedAt: outages.endedAt,
      reason: outages.reason,
    })
    .from(outages)
    .innerJoin(sites, eq(sites.id, outages.siteId))
    .where(
      and(
        isNotReplaced,
        isNull(outages.withdrawnAt),
        lt(outages.startedAt, end),
        or(isNull(outages.endedAt), gte(outages.endedAt, begin)),
      ),
    )
    .orderBy(asc(outages.startedAt), asc(outages.id))
    .limit(1000);
}

export interface Outage {
  siteName: string;
  startedAt: Date;
  endedAt: Date | null;
  reason: string;
}

/** What was said of an outage first, for a day that is posted, and what became of that since. */
export interface OutageThen {
  siteName: string;
  reason: string;
  /** When it was written down, where the day was posted before. */
  notedAt: Date | null;
  /** Null: nothing. */
  since:
    | null
    | { what: "ended"; at: Date; endedAt: Date }
    | { what: "withdrawn"; at: Date; why: string }
    | ({ what: "corrected"; at: Date; why: string } & Outage);
}

/**
 * What stood still on a UTC day as it was noted when the day was posted (null: now), or first after that, and what was
 * corrected or taken back since: a receipt keeps what it said.
 */
export async function listOutagesKnown(
  db: Db | Tx,
  { day, postedAt }: { day: string; postedAt: Date | null },
): Promise<OutageThen[]> {
  const then = sql`${postedAt?.toISOString() ?? "infinity"}::timestamptz`;
  const begin = sql`${startOfDay(day).toISOString()}::timestamptz`;
  const end = sql`${startOfDay(addDays(day, 1)).toISOString()}::timestamptz`;
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    with recursive lines as (
      select id as first_id, 1 as nth, id from outages where corrects is null
       union all
      select lines.first_id, lines.nth + 1, o.id from lines join outages o on o.corrects = lines.id
    ), versions as (
      select lines.first_id, lines.nth, o.*, s.name as site_name, ended.occurred_at as end_noted_at, later.created_at as replaced_at
        from lines
        join outages o on o.id = lines.id
        join sites s on s.id = o.site_id
        left join audit_log ended on ended.id = o.end_action_id
        left join outages later on later.corrects = o.id
    ), said as (
      select distinct on (first_id) * from versions
       where (replaced_at is null or replaced_at > ${then}) and (withdrawn_at is null or withdrawn_at > ${then})
         and started_at < ${end}
         and (ended_at is null or ended_at >= ${begin} or end_noted_at > greatest(created_at, ${then}))
       order by first_id, nth
    )
    select said.site_name, said.reason, case when said.created_at > ${then} then said.created_at end as noted_at,
           case when last.withdrawn_at is not null then 'withdrawn' when last.id <> said.id then 'corrected'
                when last.ended_at < ${begin} then 'ended' end as what,
           case when last.withdrawn_at is not null then last.withdrawn_at when last.id <> said.id then last.created_at
                else last.end_noted_at end as at,
           coalesce(last.withdrawal_reason, last.correction_reason) as why, last.site_name as now_site_name,
           last.reason as now_reason, last.started_at as now_started_at, last.ended_at as now_ended_at
      from said
      join versions last on last.first_id = said.first_id and last.replaced_at is null
     order by said.started_at, said.id
     limit 1000`);
  return rows.map((row) => ({
    siteName: row["site_name"] ?? "",
    reason: row["reason"] ?? "",
    notedAt: row["noted_at"] ? new Date(row["noted_at"]) : null,
    since: asChange(row),
  }));
}

function asChange(row: Record<string, string | null>): OutageThen["since"] {
  const what = row["what"] as NonNullable<OutageThen["since"]>["what"] | null | undefined;
  if (!what) return null;
  const at = new Date(row["at"] ?? 0);
  const why = row["why"] ?? "";
  if (what === "withdrawn") return { what, at, why };
  const endedAt = row["now_ended_at"] ? new Date(row["now_ended_at"]) : null;
  if (what === "ended") return { what, at, endedAt: endedAt ?? at };
  return {
    what,
    at,
    why,
    siteName: row["now_site_name"] ?? "",
    reason: row["now_reason"] ?? "",
    startedAt: new Date(row["now_started_at"] ?? 0),
    endedAt,
  };
}

const noted = alias(auditLog, "noted");
const notedBy = alias(users, "noted_by");
const withdrawn = alias(auditLog, "withdrawn");
const withdrawnBy = alias(users, "withdrawn_by");

export type OutageVersion = Awaited<ReturnType<typeof listOutageVersions>>[number];

/** What was said of an outage, one version after the other, the first first; of whichever of them the id is. None: no such outage. */
export async function listOutageVersions(db: Db | Tx, outageId: string) {
  const line = sql`(
    with recursive earlier as (
      select id, corrects from outages where id = ${outageId}
       union all
      select o.id, o.corrects from earlier join outages o on o.id = earlier.corrects
    ), line as (
      select id from earlier where corrects is null
       union all
      select o.id from line join outages o on o.corrects = line.id
    ) select id from line)`;
  return db
    .select({
      id: outages.id,
      siteId: outages.siteId,
      siteName: sites.name,
      batchId: outages.batchId,
      model: machineBatches.model,
      startedAt: outages.startedAt,
      endedAt: outages.endedAt,
      lostGhs: outages.lostGhs,
      reason: outages.reason,
      corrects: outages.corrects,
      correctionReason: outages.correctionReason,
      createdAt: outages.createdAt,
      by: notedBy.name,
      withdrawnAt: outages.withdrawnAt,
      withdrawalReason: outages.withdrawalReason,
      withdrawnBy: withdrawnBy.name,
    })
    .from(outages)
    .innerJoin(sites, eq(sites.id, outages.siteId))
    .leftJoin(machineBatches, eq(machineBatches.id, outages.batchId))
    .innerJoin(noted, eq(noted.id, outages.actionId))
    .leftJoin(notedBy, eq(notedBy.id, noted.operatorId))
    .leftJoin(withdrawn, eq(withdrawn.id, outages.withdrawalActionId))
    .leftJoin(withdrawnBy, eq(withdrawnBy.id, withdrawn.operatorId))
    .where(sql`${outages.id} in ${line}`)
    .orderBy(asc(outages.createdAt), sql`${outages.corrects} is not null`);
}

/** How much of the fleet is never sold, in millionths. */
export async function getReservePpm(db: Db | Tx): Promise<number> {
  const [last] = await db
    .select({ ppm: fleetReserves.reservePpm })
    .from(fleetReserves)
    .orderBy(desc(fleetReserves.number))
    .limit(1);
  return last?.ppm ?? 0;
}

export interface FleetDay {
  day: string;
  capacityGhs: bigint;
  soldGhs: bigint;
  owedGhs: bigint;
  /** What can still be sold of it; never below zero. */
  freeGhs: bigint;
}

/** What the machines can do, what is sold and what is free, for each day from one to another, both included. */
export async function listFleetDays(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<FleetDay[]> {
  const { rows } = await db.execute<{
    day: string;
    capacity: string;
    sold: string;
    owed: string;
    free: string;
  }>(sql`
    with reserve as (
      select coalesce((select reserve_ppm from fleet_reserves order by number desc limit 1), 0) as ppm
    ), days as (
      select each.day::date as day, coalesce(d.capacity_ghs, fleet_capacity(each.day::date)) as capacity,
             coalesce(d.sold_ghs, 0) as sold, coalesce(d.owed_ghs, 0) as owed
        from generate_series(${from}::date, ${until}::date, interval '1 day') each (day)
        left join fleet_days d on d.day = each.day::date
    )
    select day::text, capacity, sold, owed,
           greatest(capacity - trunc(capacity * ppm / 1000000) - sold - owed, 0) as free
      from days cross join reserve order by day`);
  return rows.map((row) => ({
    day: row.day,
    capacityGhs: BigInt(row.capacity),
    soldGhs: BigInt(row.sold),
    owedGhs: BigInt(row.owed),
    freeGhs: BigInt(row.free),
  }));
}

/** What energy costs one TH/s for one day at a site, with the machines that run there. */
export interface EnergyCost {
  siteName: string;
  ghs: bigint;
  /** In millionths of a dollar, rounded up. */
  usdMicrosPerThsDay: bigint;
  /** What a kilowatt hour costs, and since when. */
  usdMicrosPerKwh: bigint;
  effectiveFrom: string;
}

/** What energy costs at every site on a day: watts and measured hashrate of its machines at the price that was entered. */
export async function listEnergyCosts(db: Db | Tx, day: string): Promise<EnergyCost[]> {
  const { rows } = await db.execute<Record<string, string>>(sql`
    select s.name, machines.ghs, price.usd_micros_per_kwh, price.effective_from::text,
           ceil(machines.watts * 24 * price.usd_micros_per_kwh / machines.ghs) as usd_micros
      from sites s
     cross join lateral (
       select sum(state.machines * state.measured_ghs) as ghs, sum(state.machines::numeric * state.power_watts) as watts
         from machine_batches b
        cross join lateral (
          select * from machine_batch_states
           where batch_id = b.id and effective_from <= ${day}
           order by effective_from desc, number desc limit 1) state
        where b.site_id = s.id) machines
     cross join lateral (
       select usd_micros_per_kwh, effective_from from site_energy_prices
        where site_id = s.id and effective_from <= ${day}
        order by effective_from desc, number desc limit 1) price
     where machines.ghs > 0
     order by s.name limit 500`);
  return rows.map((row) => ({
    siteName: row["name"] ?? "",
    ghs: BigInt(row["ghs"] ?? 0),
    usdMicrosPerThsDay: BigInt(row["usd_micros"] ?? 0),
    usdMicrosPerKwh: BigInt(row["usd_micros_per_kwh"] ?? 0),
    effectiveFrom: row["effective_from"] ?? "",
  }));
}
