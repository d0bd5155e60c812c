import { utcDay } from "#core/utc-day.ts";
import type { Db } from "../database.ts";
import { sql } from "../sql.ts";
import type { Job } from "./jobs.ts";

/**
 * Opens the parts of the month after that of a day, of each table that is kept by months and has a rest for what comes too early.
 *
 * @param day as "2026-11-23", in UTC
 */
export async function openMonths(db: Db, day: string): Promise<void> {
  await db.execute(sql`select open_months(${day}::date)`);
}

export const monthJobs: Job<{ db: Db; now(): Date }, object>[] = [
  {
    name: "platform/open-months",
    schedule: "0 0 * * *",
    atStart: true,
    run: ({ db, now }) => openMonths(db, utcDay(now())),
  },
];
