import {
  findRow,
  moment,
  orNull,
  type RowOf,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

const columns = {
  day: text,
  pool: text,
  units,
  txid: orNull(text),
  statementSha256: orNull(text),
  recordedAt: moment,
};

/** The last payout of a pool, with what proves it; null before the first. */
export function findLastPayout(db: Db | Tx): Promise<RowOf<typeof columns> | null> {
  return findRow(
    db,
    sql`
    select p.day::text, o.name as pool, p.units, p.txid, encode(s.sha256, 'hex') as statement_sha256, p.decided_at as recorded_at
      from pool_payouts p
      join pools o on o.id = p.pool_id
      left join pool_statements s on s.id = p.statement_id
     where p.state = 'recorded' and p.units > 0
       and not exists (select from pool_payouts next where next.corrects = p.id and next.state = 'recorded')
     order by p.day desc, p.decided_at desc limit 1`,
    columns,
  );
}
