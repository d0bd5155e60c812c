import { getRow, number, orNull } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** How long decisions took, in hours: of the last 200 within 90 days. Null when there was none. */
export async function findProcessingHours(
  db: Db | Tx,
  now: Date,
): Promise<{ median: number; ninetieth: number; decisions: number } | null> {
  const since = new Date(now.getTime() - 90 * 86_400_000).toISOString();
  const { decisions, median, ninetieth } = await getRow(
    db,
    sql`
    select count(*)::int as decisions,
           percentile_cont(0.5) within group (order by hours)::float8 as median,
           percentile_cont(0.9) within group (order by hours)::float8 as ninetieth
      from (select extract(epoch from decided_at - submitted_at) / 3600 as hours
              from kyc_submissions
             where decided_at > ${since}::timestamptz
             order by decided_at desc limit 200) recent`,
    { decisions: number, median: orNull(number), ninetieth: orNull(number) },
  );
  return median === null || ninetieth === null ? null : { median, ninetieth, decisions };
}
