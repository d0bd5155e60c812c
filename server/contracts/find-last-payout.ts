import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** What a pool paid last, with what proves it; null before the first. */
export async function findLastPayout(db: Db | Tx): Promise<{
  day: string;
  pool: string;
  units: bigint;
  txid: string | null;
  statementSha256: string | null;
  recordedAt: Date;
} | null> {
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    select p.day::text, o.name as pool, p.units, p.txid, encode(s.sha256, 'hex') as sha256, p.decided_at
      from pool_payouts p
      join pools o on o.id = p.pool_id
      left join pool_statements s on s.id = p.statement_id
     where p.state = 'recorded' and p.units > 0
       and not exists (select from pool_payouts next where next.corrects = p.id and next.state = 'recorded')
     order by p.day desc, p.decided_at desc limit 1`);
  const [row] = rows;
  if (!row) return null;
  return {
    day: row["day"] ?? "",
    pool: row["pool"] ?? "",
    units: BigInt(row["units"] ?? 0),
    txid: row["txid"] ?? null,
    statementSha256: row["sha256"] ?? null,
    recordedAt: new Date(row["decided_at"] ?? 0),
  };
}
