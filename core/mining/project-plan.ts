import { blockSubsidySats } from "./block-subsidy.ts";
import { maintenanceSats, usdMicros } from "./maintenance.ts";
import { referenceSats } from "./reference.ts";

/** What is bought, in all. */
export interface ProjectedPurchase {
  ghs: bigint;
  termDays: number;
  priceUsdCents: bigint;
  /** Of one TH/s for one day, and what was announced: the fee from a day of the contract on, counted from 0. */
  maintenanceUsdMicros: bigint;
  maintenanceChanges: ReadonlyArray<{ fromDay: number; usdMicros: bigint }>;
}

/** How things stand when it begins. */
export interface ProjectedStart {
  btcUsdE8: bigint;
  difficulty: bigint;
  /** The chain's height: what a block creates follows from it, also after a halving within the term. */
  height: number;
  feesPerBlockSats: bigint;
}

/** What is assumed to become of it. Parts are in millionths: 20,000 are 2%. */
export interface Scenario {
  /** By how much the difficulty grows with every adjustment, which the network makes about every 14 days. */
  difficultyGrowthPpm: bigint;
  /** By how much bitcoin's price has changed at the end of the term; on the way there it moves in a straight line. */
  priceChangePpm: bigint;
  /** The part of the time in which the machines run. What is missing is served later: the contract runs on. */
  uptimePpm: bigint;
}

export interface Projection {
  /** Calendar days until the term is served. */
  days: number;
  minedSats: bigint;
  feeSats: bigint;
  /** The same in millionths of a dollar, each day at its own price. */
  minedUsdMicros: bigint;
  feeUsdMicros: bigint;
  /** Mined, less fees and the price paid. */
  netUsdMicros: bigint;
  /** After how many days what was mined, less fees, has first covered the price; null: never within the contract. */
  breakEvenDays: number | null;
  /** What the same price in bitcoin would have been, bought on the first day. */
  insteadSats: bigint;
  endBtcUsdE8: bigint;
  /** The net after each day, from before the first one (the price paid) to the last, at most 61 of them. */
  path: Array<{ day: number; netUsdMicros: bigint }>;
}

const whole = 1_000_000n;
const adjustmentDays = 14;
const blocksPerDay = 144;

/**
 * What a purchase comes to if things go as a scenario assumes. It is arithmetic with assumptions, no forecast: nobody
 * knows difficulty or price of a later day. Fees are taken on every day that the contract runs, in bitcoin at the day's price.
 */
export function projectPlan(
  purchase: ProjectedPurchase,
  start: ProjectedStart,
  scenario: Scenario,
): Projection {
  const { ghs, termDays, priceUsdCents } = purchase;
  const { uptimePpm } = scenario;
  const days = Math.ceil((termDays * Number(whole)) / Number(uptimePpm));
  const priceUsdMicros = priceUsdCents * 10_000n;
  const every = Math.max(1, Math.ceil(days / 60));
  const path = [{ day: 0, netUsdMicros: -priceUsdMicros }];
  let difficulty = start.difficulty;
  let left = BigInt(termDays) * whole;
  let [minedSats, feeSats, minedUsdMicros, feeUsdMicros] = [0n, 0n, 0n, 0n];
  let breakEvenDays: number | null = null;
  let btcUsdE8 = start.btcUsdE8;
  for (let day = 0; day < days; day += 1) {
    if (day > 0 && day % adjustmentDays === 0) difficulty = grown(difficulty, scenario);
    btcUsdE8 = priceOn(start.btcUsdE8, scenario, day, days);
    const served = left < uptimePpm ? left : uptimePpm;
    left -= served;
    const subsidy = blockSubsidySats(start.height + blocksPerDay * day);
    const wholeDay = referenceSats(ghs, difficulty, subsidy, start.feesPerBlockSats);
    const sats = (wholeDay * served) / whole;
    const fee = maintenanceSats(ghs, feeOn(purchase, day), btcUsdE8);
    minedSats += sats;
    feeSats += fee;
    minedUsdMicros += usdMicros(sats, btcUsdE8);
    feeUsdMicros += (ghs * feeOn(purchase, day)) / 1000n;
    const net = minedUsdMicros - feeUsdMicros - priceUsdMicros;
    if (breakEvenDays === null && net >= 0n) breakEvenDays = day + 1;
    const isLast = day === days - 1;
    if (isLast || (day + 1) % every === 0) path.push({ day: day + 1, netUsdMicros: net });
  }
  return {
    days,
    minedSats,
    feeSats,
    minedUsdMicros,
    feeUsdMicros,
    breakEvenDays,
    path,
    netUsdMicros: minedUsdMicros - feeUsdMicros - priceUsdMicros,
    insteadSats: (priceUsdCents * 10n ** 14n) / start.btcUsdE8,
    endBtcUsdE8: btcUsdE8,
  };
}

function grown(difficulty: bigint, { difficultyGrowthPpm }: Scenario): bigint {
  const next = (difficulty * (whole + difficultyGrowthPpm)) / whole;
  return next > 1n ? next : 1n;
}

/** The last day has the whole change. */
function priceOn(btcUsdE8: bigint, { priceChangePpm }: Scenario, day: number, days: number) {
  if (days === 1) return btcUsdE8;
  const change = (btcUsdE8 * priceChangePpm * BigInt(day)) / (whole * BigInt(days - 1));
  const price = btcUsdE8 + change;
  return price > 0n ? price : 1n;
}

function feeOn({ maintenanceUsdMicros, maintenanceChanges }: ProjectedPurchase, day: number) {
  const last = maintenanceChanges.findLast(({ fromDay }) => fromDay <= day);
  return last ? last.usdMicros : maintenanceUsdMicros;
}

/** The assumptions that every plan is shown with. */
export const scenarios: ReadonlyArray<Scenario & { name: string }> = [
  {
    name: "Hard times: difficulty +5% every 14 days, bitcoin at half its price, machines run 90% of the time",
    difficultyGrowthPpm: 50_000n,
    priceChangePpm: -500_000n,
    uptimePpm: 900_000n,
  },
  {
    name: "More machines elsewhere: difficulty +3% every 14 days, price as today, 97%",
    difficultyGrowthPpm: 30_000n,
    priceChangePpm: 0n,
    uptimePpm: 970_000n,
  },
  {
    name: "A falling price: difficulty as today, bitcoin 30% lower at the end, 97%",
    difficultyGrowthPpm: 0n,
    priceChangePpm: -300_000n,
    uptimePpm: 970_000n,
  },
  {
    name: "Nothing changes at all, which has never happened",
    difficultyGrowthPpm: 0n,
    priceChangePpm: 0n,
    uptimePpm: 1_000_000n,
  },
  {
    name: "A rising price: difficulty +2% every 14 days, bitcoin 50% higher at the end, 97%",
    difficultyGrowthPpm: 20_000n,
    priceChangePpm: 500_000n,
    uptimePpm: 970_000n,
  },
];

/** What each of the scenarios comes to, the worst first. */
export function projectScenarios(
  purchase: ProjectedPurchase,
  start: ProjectedStart,
  assumed: readonly (Scenario & { name: string })[] = scenarios,
): Array<{ scenario: Scenario & { name: string }; projection: Projection }> {
  return assumed
    .map((scenario) => ({ scenario, projection: projectPlan(purchase, start, scenario) }))
    .sort((a, b) => {
      const [first, second] = [a.projection.netUsdMicros, b.projection.netUsdMicros];
      return first < second ? -1 : first > second ? 1 : 0;
    });
}
