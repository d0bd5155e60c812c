import { expectedResult, purchaseOf } from "#core/mining/expected-result.ts";
import { maintenanceSats } from "#core/mining/maintenance.ts";
import { findFreshPrice } from "../markets/find-fresh-price.ts";
import { findProjectedStart } from "../markets/find-projected-start.ts";
import type { Tx } from "../platform/database.ts";
import type { OfferedPlan } from "./list-offered-plans.ts";

interface Bought {
  plan: OfferedPlan;
  quantity: number;
  startsOn: string;
  now: Date;
}

/**
 * What a purchase costs a day and comes to over its term by the figures of now, as the page said where it was decided on: arithmetic
 * for the letter that confirms it, not a forecast. Without a fresh price or the network's difficulty only the fee is known.
 */
export async function expectResult(tx: Tx, { plan, quantity, startsOn, now }: Bought) {
  const purchase = purchaseOf(plan, quantity, startsOn);
  const { ghs, maintenanceUsdMicros } = purchase;
  const price = await findFreshPrice(tx, "BTC", now);
  const fee = {
    dailyFeeUsdMicros: (ghs * maintenanceUsdMicros) / 1000n,
    dailyFeeSats: price && maintenanceSats(ghs, maintenanceUsdMicros, price.usdE8),
  };
  const start = await findProjectedStart(tx, now);
  if (!start) return { ...fee, expected: null };
  const { earnsADay, minesADaySats, worst, best } = expectedResult(purchase, start);
  const expected = {
    minedSatsPerDay: minesADaySats,
    minedUsdMicrosPerDay: earnsADay,
    worstUsdMicros: worst,
    bestUsdMicros: best,
  };
  return { ...fee, expected };
}
