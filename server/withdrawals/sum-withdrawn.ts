import { openWithdrawalStates } from "#core/payments/withdrawal.ts";
import { and, eq, gt, inArray, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { withdrawals } from "./schema.ts";

const w = withdrawals;

/** What was paid, or is on its way: it was not given back. */
export const isWithdrawn = inArray(w.state, [...openWithdrawalStates, "settled"]);

/**
 * What a customer has asked for within 30 days and was not given back, in cents, each at the price of its day: final payments of a
 * closing that was taken back among it.
 */
export async function sumWithdrawnUsdCents(
  db: Db | Tx,
  customerId: string,
  now: Date,
): Promise<bigint> {
  const since = new Date(now.getTime() - 30 * 86_400_000);
  const [sum] = await db
    .select({ cents: sql`coalesce(sum(${w.usdCents}), 0)`.mapWith(BigInt) })
    .from(w)
    .where(and(eq(w.customerId, customerId), gt(w.requestedAt, since), isWithdrawn));
  if (!sum) throw new Error("no row instead of one");
  return sum.cents;
}
