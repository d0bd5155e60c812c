import { coinOfMethod } from "#core/deposit.ts";
import { valueInUsdCents } from "#core/price.ts";
import { and, eq, inArray, isNull } from "#server/platform/sql.ts";
import { keepPrice } from "../markets/keep-price.ts";
import { findFreshPrice } from "../markets/queries.ts";
import type { Db } from "../platform/database.ts";
import { deposits } from "./schema.ts";

const atOnce = 200;

/** Gives deposits their dollars that were credited while there was no fresh price: those of the first one since. */
export async function valueDeposits(db: Db, now: Date): Promise<void> {
  const unvalued = await db
    .select({ id: deposits.id, method: deposits.method, units: deposits.quantityUnits })
    .from(deposits)
    .where(and(isNull(deposits.usdCents), inArray(deposits.state, ["approved", "orphaned"])))
    .limit(atOnce);
  for (const { id, method, units } of unvalued) {
    const asset = coinOfMethod[method];
    await db.transaction(async (tx) => {
      const price = await findFreshPrice(tx, asset, now);
      if (!price || units === null) return;
      await keepPrice(tx, price);
      await tx
        .update(deposits)
        .set({
          usdCents: valueInUsdCents(units, asset, price.usdE8),
          paymentPriceId: price.priceId,
        })
        .where(and(eq(deposits.id, id), isNull(deposits.usdCents)));
    });
  }
}
