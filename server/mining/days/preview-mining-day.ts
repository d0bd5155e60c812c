import { creditSats, servedPpm, sharedGhs } from "#core/mining/credit.ts";
import type { DayFigures } from "#core/mining/day-figures.ts";
import { maintenanceSats } from "#core/mining/maintenance.ts";
import { utcDay } from "#core/utc-day.ts";
import {
  flag,
  getRow,
  json,
  moment,
  number,
  oneOf,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { asReference, referenceColumns } from "../receipts/network-reference.ts";
import { findNextMiningDay } from "./find-next-mining-day.ts";
import { getRunSettings } from "./get-run-settings.ts";

/** What a run of a day would do, without doing it. */
export interface MiningPreview extends DayFigures {
  day: string;
  /** ready: it can be posted now. waiting: see `missing`. */
  state: "ready" | "waiting" | "posting" | "posted";
  missing: {
    dayNotOver: boolean;
    /** The day that comes first; null: this one, or none counts yet. */
    earlierDay: string | null;
    noPool: boolean;
    /** Pools that count and have no recorded payout. */
    pools: { poolId: string; name: string }[];
    price: boolean;
  };
  contracts: number;
  creditSats: bigint;
  operatorShareSats: bigint;
  remainderSats: bigint;
  /** Null: without a price nobody knows. */
  feesDueSats: bigint | null;
  btcUsdE8: bigint | null;
  priceObservedAt: Date | null;
  /** What the network would have paid for the delivered hashrate; null: nobody asked it on that day. */
  referenceSats: bigint | null;
  /** How far the payout is from that, in parts per million of it: below zero is less. */
  deviationPpm: bigint | null;
  /** No pool counts on this day, so nothing is waited for: it is posted by a person, as a day that paid nothing. */
  isWithoutPool: boolean;
  /** Why a run by itself would stop here and wait for a person; none: it would go on. */
  stops: Stop[];
  /** From what difference on a day waits for a person, in parts per million of the reference. */
  mostDeviationPpm: number;
  plans: PlanPreview[];
}

/**
 * no-reference: nobody asked the network on that day, so nothing says whether the payout is plausible.
 * paid-for-nothing: something was paid, and no hashrate delivered.
 */
export type Stop = "no-pool" | "not-by-itself" | "no-reference" | "paid-for-nothing" | "too-far";

export interface PlanPreview {
  planVersionId: string;
  name: string;
  version: number;
  contracts: number;
  ghs: bigint;
  maintenanceUsdMicros: bigint;
  creditSats: bigint;
  feeSats: bigint;
  referenceSats: bigint | null;
}

/** Works a day out from what is recorded now: totals, what each plan gets, how that compares, and what is missing. */
export async function previewMiningDay(db: Db, day: string, now: Date): Promise<MiningPreview> {
  const [{ known, reference, ...judged }, groups] = await Promise.all([
    judge(db, day, now),
    readGroups(db, day),
  ]);
  const activeGhs = groups.reduce((sum, { ghs, contracts }) => sum + ghs * BigInt(contracts), 0n);
  const shared = sharedGhs(known.deliveredGhs, activeGhs);
  const distributable = known.payoutSats + known.carriedSats;
  const plans = shareOut(known, groups, shared);
  const credits = sum(plans.map((plan) => plan.creditSats));
  const share = operatorShare(distributable, activeGhs, shared);
  return {
    day,
    ...judged,
    payoutSats: known.payoutSats,
    carriedSats: known.carriedSats,
    distributableSats: distributable,
    deliveredGhs: known.deliveredGhs,
    activeGhs,
    sharedGhs: shared,
    servedPpm: servedPpm(known.deliveredGhs, activeGhs),
    contracts: groups.reduce((all, { contracts }) => all + contracts, 0),
    creditSats: credits,
    operatorShareSats: share,
    remainderSats: distributable - credits - share,
    feesDueSats: known.btcUsdE8 === null ? null : sum(plans.map((plan) => plan.feeSats)),
    btcUsdE8: known.btcUsdE8,
    priceObservedAt: known.priceObservedAt,
    referenceSats: reference,
    isWithoutPool: known.isWithoutPool,
    plans,
  };
}

/** Whether a day can be worked out, and whether it wants a person: asked every two minutes, so no contract is looked at. */
export async function judgeMiningDay(
  db: Db,
  day: string,
  now: Date,
): Promise<Pick<MiningPreview, "state" | "stops">> {
  const { state, stops } = await judge(db, day, now);
  return { state, stops };
}

async function judge(db: Db, day: string, now: Date) {
  const known = await readInputs(db, day);
  const next = await findNextMiningDay(db);
  const settings = await getRunSettings(db);
  const reference = referenceOf(known, known.deliveredGhs);
  const deviationPpm = deviation(known.payoutSats, reference);
  const missing = {
    dayNotOver: day >= utcDay(now),
    earlierDay: next !== null && next < day ? next : null,
    noPool: next === null || !(known.hasEvidence || known.isWithoutPool),
    pools: known.missingPools,
    price: known.btcUsdE8 === null,
  };
  const waits =
    missing.pools.length > 0 ||
    Object.values(missing).some((each) => each === true || typeof each === "string");
  const state: MiningPreview["state"] = known.state ?? (waits ? "waiting" : "ready");
  return {
    known,
    state,
    missing,
    reference,
    deviationPpm,
    stops: stopsOf(settings, { isWithoutPool: known.isWithoutPool, reference, deviationPpm }),
    mostDeviationPpm: settings.mostDeviationPpm,
  };
}

function stopsOf(
  { byItself, mostDeviationPpm }: { byItself: boolean; mostDeviationPpm: number },
  day: { isWithoutPool: boolean; reference: bigint | null; deviationPpm: bigint | null },
): Stop[] {
  const stops: Stop[] = byItself ? [] : ["not-by-itself"];
  if (day.isWithoutPool) return ["no-pool", ...stops];
  if (day.reference === null) return [...stops, "no-reference"];
  if (day.deviationPpm === null) return [...stops, "paid-for-nothing"];
  return abs(day.deviationPpm) > BigInt(mostDeviationPpm) ? [...stops, "too-far"] : stops;
}

/** What each plan's contracts get and owe. */
function shareOut(known: Inputs, groups: Group[], shared: bigint): PlanPreview[] {
  const distributable = known.payoutSats + known.carriedSats;
  const plans = new Map<string, PlanPreview>();
  for (const { contracts, ghs, ...plan } of groups) {
    const so = plans.get(plan.planVersionId) ?? empty(plan);
    const many = BigInt(contracts);
    so.contracts += contracts;
    so.ghs += many * ghs;
    so.creditSats += many * creditSats(distributable, ghs, shared);
    if (known.btcUsdE8) {
      so.feeSats += many * maintenanceSats(ghs, plan.maintenanceUsdMicros, known.btcUsdE8);
    }
    so.referenceSats = referenceOf(known, so.ghs);
    plans.set(plan.planVersionId, so);
  }
  return [...plans.values()];
}

/** With nobody else to share with, all of it is the operator's. */
function operatorShare(distributable: bigint, activeGhs: bigint, shared: bigint): bigint {
  return activeGhs === 0n ? distributable : (distributable * (shared - activeGhs)) / shared;
}

const inputColumns = {
  state: orNull(oneOf(["posting", "posted"])),
  payoutSats: units,
  deliveredGhs: units,
  hasEvidence: flag,
  carriedSats: units,
  missingPools: json<{ poolId: string; name: string }[]>(),
  btcUsdE8: orNull(units),
  priceObservedAt: orNull(moment),
  ...referenceColumns,
};
interface Inputs extends RowOf<typeof inputColumns> {
  isWithoutPool: boolean;
}

async function readInputs(db: Db, day: string): Promise<Inputs> {
  const of = sql`${day}::date`;
  const inputs = await getRow(
    db,
    sql`
    select (select state from mining_runs where day = ${of}) as state,
           (select coalesce(sum(units), 0) from current_payouts(${of})) as payout_sats,
           (select coalesce(sum(delivered_ghs), 0) from current_payouts(${of})) as delivered_ghs,
           exists (select from current_payouts(${of})) as has_evidence,
           coalesce((select remainder_sats from mining_runs where day = ${of} - 1), 0) as carried_sats,
           (select coalesce(json_agg(json_build_object('poolId', id, 'name', name) order by name), '[]') from missing_pools(${of})) as missing_pools,
           (price_of_day(${of})).usd_e8 as btc_usd_e8, (price_of_day(${of})).observed_at as price_observed_at, n.observed_at as network_observed_at, n.difficulty, n.subsidy_sats,
           n.fees_per_block_sats
      from (select) one
      left join lateral (
        select * from network_figures
         where observed_at > ${of}::timestamp at time zone 'UTC' and observed_at <= (${of} + 1)::timestamp at time zone 'UTC'
         order by observed_at desc limit 1) n on true`,
    inputColumns,
  );
  return { ...inputs, isWithoutPool: !inputs.hasEvidence && inputs.missingPools.length === 0 };
}

const groupColumns = {
  planVersionId: text,
  name: text,
  version: number,
  maintenanceUsdMicros: units,
  /** Of each. */
  ghs: units,
  contracts: number,
};
/** Contracts alike: under one version, with one hashrate. */
type Group = RowOf<typeof groupColumns>;

async function readGroups(db: Db, day: string): Promise<Group[]> {
  return readRows(
    db,
    sql`
    select v.id as plan_version_id, v.name, v.version, maintenance_on(v.id, ${day}::date) as maintenance_usd_micros, each.ghs,
           each.contracts
      from (select plan_version_id, ghs, count(*)::integer as contracts from contracts
             where starts_on <= ${day}::date and (last_day is null or last_day >= ${day}::date)
             group by plan_version_id, ghs) each
      join plan_versions v on v.id = each.plan_version_id
     order by v.name, v.version, each.ghs`,
    groupColumns,
  );
}

function empty(
  plan: Pick<PlanPreview, "planVersionId" | "name" | "version" | "maintenanceUsdMicros">,
): PlanPreview {
  return { ...plan, contracts: 0, ghs: 0n, creditSats: 0n, feeSats: 0n, referenceSats: null };
}

function referenceOf(known: Inputs, ghs: bigint): bigint | null {
  return asReference(known, ghs)?.sats ?? null;
}

function deviation(payoutSats: bigint, reference: bigint | null): bigint | null {
  if (reference === null) return null;
  if (reference === 0n) return payoutSats === 0n ? 0n : null;
  return ((payoutSats - reference) * 1_000_000n) / reference;
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((all, one) => all + one, 0n);
}

function abs(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
