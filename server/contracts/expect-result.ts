import { maintenanceSats, usdMicros } from "#core/mining/maintenance.ts";
import { type ProjectedPurchase, projectScenarios } from "#core/mining/project-plan.ts";
import { referenceSats } from "#core/mining/reference.ts";
import { daysBetween } from "#core/utc-day.ts";
import { findFreshPrice, findNetworkFigures } from "../markets/queries.ts";
import type { Tx } from "../platform/database.ts";
import type { OfferedPlan } from "./queries.ts";

interface Bought {
  plan: OfferedPlan;
  ghs: bigint;
  usdCents: bigint;
  startsOn: string;
  now: Date;
}

/**
 * What a purchase costs a day and comes to over its term by the figures of now: arithmetic for the letter that confirms it,
 * not a forecast. Without a price or the network's difficulty only the fee in dollars is known.
 */
export async function expectResult(tx: Tx, bought: Bought) {
  const { ghs, now } = bought;
  const purchase = purchaseOf(bought);
  const dailyFeeUsdMicros = (ghs * purchase.maintenanceUsdMicros) / 1000n;
  const price = await findFreshPrice(tx, "BTC", now);
  const network = await findNetworkFigures(tx, now);
  if (!price) return { dailyFeeUsdMicros, dailyFeeSats: null, expected: null };
  const btcUsdE8 = price.usdE8;
  const dailyFeeSats = maintenanceSats(ghs, purchase.maintenanceUsdMicros, btcUsdE8);
  if (!network) return { dailyFeeUsdMicros, dailyFeeSats, expected: null };
  const { difficulty, height, subsidySats, feesPerBlockSats } = network;
  const results = projectScenarios(purchase, { btcUsdE8, difficulty, height, feesPerBlockSats });
  const minedSatsPerDay = referenceSats(ghs, difficulty, subsidySats, feesPerBlockSats);
  const expected = {
    minedSatsPerDay,
    minedUsdMicrosPerDay: usdMicros(minedSatsPerDay, btcUsdE8),
    worstUsdMicros: results.at(0)?.projection.netUsdMicros ?? 0n,
    bestUsdMicros: results.at(-1)?.projection.netUsdMicros ?? 0n,
  };
  return { dailyFeeUsdMicros, dailyFeeSats, expected };
}

function purchaseOf({ plan, ghs, usdCents, startsOn }: Bought): ProjectedPurchase {
  return {
    ghs,
    termDays: plan.termDays,
    priceUsdCents: usdCents,
    maintenanceUsdMicros: plan.maintenanceTodayUsdMicros,
    maintenanceChanges: plan.announced.map((change) => ({
      fromDay: Math.max(0, daysBetween(startsOn, change.effectiveFrom)),
      usdMicros: change.usdMicros,
    })),
  };
}
