import { networkPaysPerThsDay, pricePerThsDay } from "./plan-costs.ts";
import { type ProjectedStart, projectScenarios } from "./project-plan.ts";

/** What of a plan's terms decides what it comes to. */
export interface OutlookTerms {
  unitGhs: bigint;
  termDays: number;
  priceUsdCents: bigint;
  maintenanceUsdMicros: bigint;
}

/** What the plans' page would say of terms, were they offered now: of one unit, at today's price and difficulty. */
export interface PlanOutlook {
  /** Of one TH/s for one day, in millionths of a dollar: by the price, with maintenance, and what the network pays. */
  pricePerThsDay: bigint;
  costPerThsDay: bigint;
  networkPaysPerThsDay: bigint;
  /** The worst first. */
  results: ReturnType<typeof projectScenarios>;
  /** Whether no scenario ends with a gain. */
  allLose: boolean;
  /**
   * The highest price of a unit, in cents, at which nothing is lost while nothing changes. Zero or less: maintenance alone costs
   * what the network pays, or more.
   */
  priceThatBreaksEvenCents: bigint;
}

const nothingChanges = { difficultyGrowthPpm: 0n, priceChangePpm: 0n, uptimePpm: 1_000_000n };

export function outlookOf(
  terms: OutlookTerms,
  start: ProjectedStart & { subsidySats: bigint },
): PlanOutlook {
  const purchase = {
    ghs: terms.unitGhs,
    termDays: terms.termDays,
    priceUsdCents: terms.priceUsdCents,
    maintenanceUsdMicros: terms.maintenanceUsdMicros,
    maintenanceChanges: [],
  };
  const results = projectScenarios(purchase, start);
  const [flat] = projectScenarios(purchase, start, [{ ...nothingChanges, name: "" }]);
  const perDay = pricePerThsDay(terms);
  const worth = flat ? flat.projection.minedUsdMicros - flat.projection.feeUsdMicros : 0n;
  return {
    pricePerThsDay: perDay,
    costPerThsDay: perDay + terms.maintenanceUsdMicros,
    networkPaysPerThsDay: networkPaysPerThsDay(start, start.btcUsdE8),
    results,
    allLose: results.every(({ projection }) => projection.netUsdMicros <= 0n),
    priceThatBreaksEvenCents: worth / 10_000n,
  };
}
