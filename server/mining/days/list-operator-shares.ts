import { json, type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = {
  postedOn: text,
  sats: units,
  /** The mining days it is of; a correction counts under its day, less what customers no longer had. */
  days: json<string[]>(),
};
/** What the operator's own machines earned beside those that customers rent, by the UTC day on which that was posted. */
export type OperatorShare = RowOf<typeof columns>;

/** The operator's shares that were posted on the UTC days from one to another, both included. */
export async function listOperatorShares(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<OperatorShare[]> {
  const begin = sql`${from}::timestamp at time zone 'UTC'`;
  const end = sql`(${until}::date + 1)::timestamp at time zone 'UTC'`;
  return readRows(
    db,
    sql`select (posted_at at time zone 'UTC')::date::text as posted_on, sum(sats) as sats, json_agg(day::text order by day) as days
          from (select posted_at, day, operator_share_sats as sats from mining_runs where posted_at >= ${begin} and posted_at < ${end}
                union all
                select posted_at, day, operator_change_sats - lost_sats from mining_corrections
                 where posted_at >= ${begin} and posted_at < ${end}) posted
         group by 1 order by 1`,
    columns,
  );
}
