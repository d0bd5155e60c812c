import { getRow, orNull, text } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** The first UTC day on which a contract runs or ran; null while nothing was sold. One row per day is looked at. */
export async function findFirstSoldDay(db: Db | Tx): Promise<string | null> {
  const first = sql`select min(day)::text as day from fleet_days where sold_ghs > 0`;
  return (await getRow(db, first, { day: orNull(text) })).day;
}
