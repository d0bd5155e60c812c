import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { enterPayout } from "#server/payouts/enter-payout.ts";
import { findPayout } from "#server/payouts/find-payout.ts";
import type { Db } from "#server/platform/database.ts";
import { refuseCreditedDay } from "./refuse-credited-day.ts";

/**
 * Enters a payout, unless its day is credited already.
 *
 * @throws Refusal `payouts/day-credited`, and as `enterPayout` does
 */
export async function enterPayoutAsOperator(
  db: Db,
  operator: ActingOperator,
  payout: Parameters<typeof enterPayout>[2],
  now: Date,
): ReturnType<typeof enterPayout> {
  const isThere = (await findPayout(db, payout.payoutId)) !== null;
  if (!isThere) await refuseCreditedDay(db, payout.day);
  return enterPayout(db, operator, payout, now);
}
