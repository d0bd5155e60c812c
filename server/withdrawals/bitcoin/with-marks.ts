import { number, type RowOf, readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = {
  /** The day whose digest it carries, and with it the digests of all days before. */
  day: text,
  txid: text,
  /** Of its block. */
  height: number,
};
/** A transaction of a settled batch that carries a digest in the chain. */
export type Mark = RowOf<typeof columns>;

/**
 * To each of some days in a row (newest first) the transaction that carries its digest, or the first that carries one of a later
 * day; null: none yet. One that has left its block since counts no more.
 */
export async function withMarks<Day extends { day: string }>(
  db: Db,
  days: Day[],
): Promise<(Day & { mark: Mark | null })[]> {
  const oldest = days.at(-1)?.day;
  const marks = oldest ? await listMarks(db, oldest, days.length) : [];
  return days.map((each) => {
    return { ...each, mark: marks.find(({ day }) => day >= each.day) ?? null };
  });
}

/** The days from `from` on that have a mark, each with the first, oldest first: as many as there are days to cover suffice. */
function listMarks(db: Db, from: string, most: number): Promise<Mark[]> {
  return readRows(
    db,
    sql`select d.day::text, carrier.txid, carrier.height
          from proof_days d cross join lateral (
            select v.txid, b.mined_height as height from withdrawal_batch_versions v join withdrawal_batches b on b.id = v.batch_id and b.mined_version_id = v.id
             where v.mark = d.digest and b.state = 'settled' and not exists (
               select from chain_reorgs r where r.chain = b.chain and b.mined_height > r.fork_height and r.found_at > b.ended_at)
             order by b.mined_height limit 1) carrier
         where d.day >= ${from}::date order by d.day limit ${most}`,
    columns,
  );
}
