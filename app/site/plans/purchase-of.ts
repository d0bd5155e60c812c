import type { ProjectedPurchase } from "#core/mining/project-plan.ts";
import { daysBetween } from "#core/utc-day.ts";
import type { OfferedPlan } from "#server/contracts/queries.ts";

/** So many units of a plan as the arithmetic takes them, beginning on a day. */
export function purchaseOf(
  plan: OfferedPlan,
  quantity: number,
  firstDay: string,
): ProjectedPurchase {
  return {
    ghs: plan.unitGhs * BigInt(quantity),
    termDays: plan.termDays,
    priceUsdCents: plan.priceUsdCents * BigInt(quantity),
    maintenanceUsdMicros: plan.maintenanceTodayUsdMicros,
    maintenanceChanges: plan.announced.map(({ effectiveFrom, usdMicros }) => ({
      fromDay: Math.max(0, daysBetween(firstDay, effectiveFrom)),
      usdMicros,
    })),
  };
}
