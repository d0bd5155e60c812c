import { coinOfMethod, type DepositMethod, depositMethods } from "#core/payments/deposit.ts";
import { valueInUsdCents } from "#core/price.ts";
import { and, asc, eq, gt, inArray, isNull } from "#server/platform/sql.ts";
import { findFreshPrice } from "../../markets/find-fresh-price.ts";
import { pinPrice } from "../../markets/pin-price.ts";
import type { Db } from "../../platform/database.ts";
import type { Log } from "../../platform/log/log.ts";
import { deposits } from "../schema.ts";

const atOnce = 200;
const passLastsMs = 10_000;

/**
 * Gives deposits their dollars that were credited while there was no fresh price: those of the first one since. A coin without a
 * price keeps no other one waiting.
 */
export async function valueDeposits(context: { db: Db; log: Log }, now: Date): Promise<void> {
  const until = performance.now() + passLastsMs;
  for (const method of depositMethods) {
    if (!(await findFreshPrice(context.db, coinOfMethod[method], now))) continue;
    await valueDepositsOf(context, method, { now, until });
  }
}

async function valueDepositsOf(
  { db, log }: { db: Db; log: Log },
  method: DepositMethod,
  { now, until }: { now: Date; until: number },
): Promise<void> {
  for (let after: string | null = null; performance.now() <= until; ) {
    const page: Array<{ id: string; units: bigint | null }> = await db
      .select({ id: deposits.id, units: deposits.quantityUnits })
      .from(deposits)
      .where(
        and(
          isNull(deposits.usdCents),
          inArray(deposits.state, ["approved", "orphaned"]),
          eq(deposits.method, method),
          after ? gt(deposits.id, after) : undefined,
        ),
      )
      .orderBy(asc(deposits.id))
      .limit(atOnce);
    for (const { id, units } of page) {
      await valueDeposit(db, { id, units, method }, now).catch((error: unknown) => {
        log.error({ depositId: id, err: error }, "a deposit could not be valued");
      });
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < atOnce) return;
  }
}

async function valueDeposit(
  db: Db,
  { id, units, method }: { id: string; units: bigint | null; method: DepositMethod },
  now: Date,
): Promise<void> {
  const asset = coinOfMethod[method];
  await db.transaction(async (tx) => {
    const price = await findFreshPrice(tx, asset, now);
    if (!price || units === null) return;
    await pinPrice(tx, price);
    await tx
      .update(deposits)
      .set({
        usdCents: valueInUsdCents(units, asset, price.usdE8),
        paymentPriceId: price.priceId,
      })
      .where(and(eq(deposits.id, id), isNull(deposits.usdCents)));
  });
}
