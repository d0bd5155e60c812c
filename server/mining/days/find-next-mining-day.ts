import { getRow, orNull, text } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** The day that is settled next; null while no pool counts. */
export async function findNextMiningDay(db: Db | Tx): Promise<string | null> {
  const next = sql`select next_mining_day()::text as day`;
  return (await getRow(db, next, { day: orNull(text) })).day;
}
