import { getRow, number, orNull, units } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/**
 * How much hashrate is for sale at most by what the pools saw, in GH/s, and how much of what is for sale is kept back, in millionths.
 * `seenGhs` null: what was entered counts, in the first two weeks and in a demo that stands still.
 */
export function getSalesBounds(
  db: Db | Tx,
): Promise<{ seenGhs: bigint | null; reservePpm: number }> {
  const bounds = sql`select nullif(seen_ghs, 'Infinity') as seen_ghs, reserve_ppm from sales_bounds()`;
  return getRow(db, bounds, { seenGhs: orNull(units), reservePpm: number });
}
