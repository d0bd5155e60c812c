import { daysBetween } from "../utc-day.ts";
import { blockSubsidySats } from "./block-subsidy.ts";
import { usdMicros } from "./maintenance.ts";
import { type ProjectedPurchase, type ProjectedStart, projectScenarios } from "./project-plan.ts";
import { referenceSats } from "./reference.ts";

/** What a projection needs to know of a plan that is offered. */
export interface ProjectedPlan {
  unitGhs: bigint;
  termDays: number;
  priceUsdCents: bigint;
  /** Of one TH/s for one day, today. */
  maintenanceTodayUsdMicros: bigint;
  /** Announced changes, soonest first. */
  announced: ReadonlyArray<{ effectiveFrom: string; usdMicros: bigint }>;
}

/** So many units of a plan as the projections take them, beginning on a UTC day. */
export function purchaseOf(
  plan: ProjectedPlan,
  quantity: number,
  firstDay: string,
): ProjectedPurchase {
  return {
    ghs: plan.unitGhs * BigInt(quantity),
    termDays: plan.termDays,
    priceUsdCents: plan.priceUsdCents * BigInt(quantity),
    maintenanceUsdMicros: plan.maintenanceTodayUsdMicros,
    maintenanceChanges: plan.announced.map(({ effectiveFrom, usdMicros: fee }) => ({
      fromDay: Math.max(0, daysBetween(firstDay, effectiveFrom)),
      usdMicros: fee,
    })),
  };
}

/** What a purchase comes to, in millionths of a dollar. */
export interface ExpectedResult {
  /** At today's difficulty and price; and the same in satoshi. */
  earnsADay: bigint;
  minesADaySats: bigint;
  costsADay: bigint;
  /** After the price and maintenance, of the worst and the best scenario that plans are shown with. */
  worst: bigint;
  best: bigint;
  /** How many of the scenarios end with a loss, of how many. */
  losing: number;
  scenarios: number;
}

/** Sums a purchase up for the page where it is decided on, from the same scenarios as the plans' page. */
export function expectedResult(purchase: ProjectedPurchase, start: ProjectedStart): ExpectedResult {
  const nets = projectScenarios(purchase, start).map(({ projection }) => projection.netUsdMicros);
  const { ghs, maintenanceUsdMicros } = purchase;
  const { difficulty, height, feesPerBlockSats, btcUsdE8 } = start;
  const sats = referenceSats(ghs, difficulty, blockSubsidySats(height), feesPerBlockSats);
  return {
    earnsADay: usdMicros(sats, btcUsdE8),
    minesADaySats: sats,
    costsADay: (ghs * maintenanceUsdMicros) / 1000n,
    worst: nets.at(0) ?? 0n,
    best: nets.at(-1) ?? 0n,
    losing: nets.filter((net) => net < 0n).length,
    scenarios: nets.length,
  };
}
