import { coins } from "#core/asset.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { desc } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { custodyDays } from "./schema.ts";

/** After a longer pause the days before are not noted any more. */
const mostDays = 31;

/**
 * Notes what the ledger says of custody at the end of each UTC day that is over, of each coin; also for days on which no
 * worker ran. Any number of workers note a day once.
 */
export async function noteCustody(db: Db, now: Date): Promise<void> {
  const yesterday = addDays(utcDay(now), -1);
  const d = custodyDays;
  const [last] = await db.select({ day: d.day }).from(d).orderBy(desc(d.day)).limit(1);
  const earliest = addDays(yesterday, 1 - mostDays);
  let day = last ? addDays(last.day, 1) : yesterday;
  if (day < earliest) day = earliest;
  for (; day <= yesterday; day = addDays(day, 1)) {
    const rows = coins.map((asset) => ({ day, asset, notedAt: now }));
    await db.insert(d).values(rows).onConflictDoNothing();
  }
}
