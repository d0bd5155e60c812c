import type { Db } from "#server/platform/database.ts";
import { findNextMiningDay } from "./find-next-mining-day.ts";
import { postMiningDay } from "./post-mining-day.ts";
import { judgeMiningDay } from "./preview-mining-day.ts";

/**
 * Posts every day whose evidence is complete, oldest first: days that were missed catch up. Goes on with a day that
 * another process began. Stops where the settings want a person: run by itself is off, a payout is further from the
 * network's reference than allowed, or there is no reference to compare it with.
 *
 * @returns the days that this call closed.
 */
export async function postAutomatically(db: Db, now: Date): Promise<string[]> {
  const posted: string[] = [];
  for (;;) {
    const day = await findNextMiningDay(db);
    if (day === null || !(await mayRun(db, day, now))) return posted;
    const { posted: closed } = await postMiningDay(db, day, now);
    if (!closed) return posted;
    posted.push(day);
  }
}

async function mayRun(db: Db, day: string, now: Date): Promise<boolean> {
  const { state, stops } = await judgeMiningDay(db, day, now);
  return state === "posting" || (state === "ready" && stops.length === 0);
}
