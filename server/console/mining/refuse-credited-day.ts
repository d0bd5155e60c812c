import { Refusal } from "#core/refusal.ts";
import { findRun } from "#server/mining/days/find-run.ts";
import type { Db } from "#server/platform/database.ts";

/**
 * A first payout for a day that is credited would be given to nobody. What a pool paid otherwise is a correction.
 *
 * @throws Refusal `payouts/day-credited`
 */
export async function refuseCreditedDay(db: Db, day: string): Promise<void> {
  if (await findRun(db, day)) throw new Refusal("payouts/day-credited");
}
