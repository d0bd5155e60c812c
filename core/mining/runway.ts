import { addDays, daysBetween } from "../utc-day.ts";
import { maintenanceSats } from "./maintenance.ts";

/** Hashrate that costs maintenance on each UTC day from its first to its last. */
export interface MaintainedHashrate {
  ghs: bigint;
  startsOn: string;
  lastDay: string;
  /** Of one TH/s for one day. */
  maintenanceUsdMicros: bigint;
}

interface RunwayFigures {
  availableSats: bigint;
  contracts: readonly MaintainedHashrate[];
  /** The first UTC day that is not settled. */
  from: string;
  btcUsdE8: bigint;
  /** What so many GH/s mined in a day, lately; null: not known, so nothing is counted on. */
  mined: { sats: bigint; ghs: bigint } | null;
}

/** How long a bitcoin balance covers maintenance: an estimate. */
export interface Runway {
  /** Whole UTC days that are covered; null: all of them. */
  days: number | null;
  /** The last day of the last contract. */
  endsOn: string;
  /** What more would cover every day to the end. */
  missingSats: bigint;
}

/** Of so many newest days the average is what is counted on. */
const countedDays = 7;

/**
 * The same for a customer, from what contracts cost now and what the newest days brought, newest first. It is counted from
 * the first day that is not settled.
 */
export function estimateRunway(known: {
  availableSats: bigint;
  contracts: readonly MaintainedHashrate[];
  days: ReadonlyArray<{ day: string; ghs: bigint; minedSats: bigint }>;
  btcUsdE8: bigint;
}): Runway | null {
  const { contracts, days, ...rest } = known;
  const [newest] = days;
  const recent = days.slice(0, countedDays);
  const sats = recent.reduce((sum, { minedSats }) => sum + minedSats, 0n);
  const ghs = recent.reduce((sum, each) => sum + each.ghs, 0n);
  const starts = contracts.map(({ startsOn }) => startsOn).sort();
  const next = newest ? addDays(newest.day, 1) : "";
  const first = starts[0] ?? next;
  const from = first > next ? first : next;
  return deriveRunway({ ...rest, contracts, from, mined: newest ? { sats, ghs } : null });
}

/**
 * How many days a balance covers maintenance at one price and one rate of earnings, from contract to contract as they begin
 * and end. Null: no contract runs any more.
 */
export function deriveRunway(figures: RunwayFigures): Runway | null {
  const { contracts, from } = figures;
  const left = contracts.filter(({ lastDay }) => lastDay >= from);
  if (left.length === 0) return null;
  const endsOn = left.reduce((last, { lastDay }) => (lastDay > last ? lastDay : last), from);
  let [balance, lowest] = [figures.availableSats, 0n];
  let days: number | null = null;
  for (const { first, count } of stretchesOf(left, from)) {
    const cost = costOf(left, first, figures);
    if (days === null && cost > 0n && balance < cost * BigInt(count)) {
      days = daysBetween(from, first) + Number(balance / cost);
    }
    balance -= cost * BigInt(count);
    if (balance < lowest) lowest = balance;
  }
  return { days, endsOn, missingSats: -lowest };
}

/** Stretches of days on which the same contracts run. */
function stretchesOf(contracts: readonly MaintainedHashrate[], from: string) {
  const turns = contracts.flatMap(({ startsOn, lastDay }) => [startsOn, addDays(lastDay, 1)]);
  const cuts = [...new Set([from, ...turns.filter((day) => day > from)])].sort();
  return cuts.slice(0, -1).map((first, index) => ({
    first,
    count: daysBetween(first, cuts[index + 1] ?? first),
  }));
}

/** What a day takes from the balance: maintenance less what is mined, which is credited before it. Below zero: it adds. */
function costOf(
  contracts: readonly MaintainedHashrate[],
  day: string,
  { btcUsdE8, mined }: RunwayFigures,
): bigint {
  const running = contracts.filter(({ startsOn, lastDay }) => startsOn <= day && day <= lastDay);
  const fee = running.reduce(
    (sats, { ghs, maintenanceUsdMicros }) =>
      sats + maintenanceSats(ghs, maintenanceUsdMicros, btcUsdE8),
    0n,
  );
  const ghs = running.reduce((sum, each) => sum + each.ghs, 0n);
  return mined === null || mined.ghs === 0n ? fee : fee - (mined.sats * ghs) / mined.ghs;
}

/** With so many days left, or fewer, a customer is told to deposit: once for each. */
export const runwayThresholds = [3, 7, 14] as const;
export type RunwayThreshold = (typeof runwayThresholds)[number];

/** The lowest threshold that a runway has reached; null: there is time. */
export function thresholdOf({ days }: Runway): RunwayThreshold | null {
  return runwayThresholds.find((each) => days !== null && days <= each) ?? null;
}

/** "about 12 days". */
export function runwayInWords(days: number): string {
  if (days === 0) return "less than a day";
  return days === 1 ? "about 1 day" : `about ${days} days`;
}
