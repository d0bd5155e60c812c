import { writeDecimal } from "#core/decimal.ts";
import { sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { findEnergyPriceOn } from "./list-energy-prices.ts";
import { lockFleet } from "./lock-fleet.ts";
import { refusals } from "./refusals.ts";

/**
 * Notes what a kilowatt hour costs at a site from a day on, and what says so. What was noted stays; the last word on a
 * day counts, and the same word again is no second one.
 *
 * @throws Refusal `fleet/no-such-site`, `fleet/implausible-energy-price`, `fleet/evidence-missing`, and as `actAsOperator` does
 */
export function setEnergyPrice(
  db: Db,
  operator: ActingOperator,
  wanted: { siteId: string; effectiveFrom: string; usdMicrosPerKwh: bigint; evidence: string },
  now: Date,
): Promise<void> {
  const price = { ...wanted, evidence: wanted.evidence.trim() };
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const before = await findEnergyPriceOn(tx, price.siteId, price.effectiveFrom);
      const isSame =
        before?.effectiveFrom === price.effectiveFrom &&
        before.usdMicrosPerKwh === price.usdMicrosPerKwh &&
        before.evidence === price.evidence;
      if (isSame) return;
      const act = {
        act: "fleet/set-energy-price" as const,
        subject: `site:${price.siteId}`,
        detail: {
          from: price.effectiveFrom,
          usdPerKwh: writeDecimal(price.usdMicrosPerKwh, 6),
          evidence: price.evidence,
        },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        inner.execute(sql`
          insert into site_energy_prices (site_id, effective_from, usd_micros_per_kwh, evidence, created_at, action_id)
          values (${price.siteId}, ${price.effectiveFrom}, ${price.usdMicrosPerKwh}, ${price.evidence},
                  ${now.toISOString()}, ${actionId})`),
      );
    }),
  );
}
