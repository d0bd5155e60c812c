import { utcDay } from "#core/utc-day.ts";
import type { Db } from "../database.ts";
import { sql } from "../sql.ts";
import type { Job } from "./jobs.ts";

/**
 * Opens the parts of the month after that of a day, of each table that is kept by months and has a rest for what comes too early.
 * Each in a transaction of its own: together they would deadlock with whoever writes to two of them.
 *
 * @param day as "2026-11-23", in UTC
 * @throws PostgreSQL's `lock_not_available` where writers hold the rest of a table for longer, after the others: ask again
 */
export async function openMonths(db: Db, day: string): Promise<void> {
  const { rows } = await db.execute<{ parent: string }>(
    sql`select partrelid::regclass::text as parent from pg_partitioned_table where partdefid <> 0`,
  );
  const faults: unknown[] = [];
  for (const { parent } of rows) {
    await db
      .execute(sql`select open_next_month(${parent}, ${day}::date)`)
      .catch((fault) => faults.push(fault));
  }
  if (faults.length > 0) throw faults[0];
}

export const monthJobs: Job<{ db: Db; now(): Date }, object>[] = [
  {
    name: "platform/open-months",
    schedule: "0 0 * * *",
    atStart: true,
    run: ({ db, now }) => openMonths(db, utcDay(now())),
  },
];
