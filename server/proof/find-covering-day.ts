import { findRow, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** The first day, of those on which a seal was there, whose digest stands on it; null until there is one. */
export async function findCoveringDay(
  db: Db,
  sealNumber: string,
): Promise<{ day: string; digest: string } | null> {
  return findRow(
    db,
    sql`select d.day::text, encode(d.digest, 'hex') as digest
          from ledger_seals s join proof_days d on d.seal_number >= s.number and d.day >= (s.sealed_at at time zone 'UTC')::date
         where s.number = ${sealNumber}::bigint order by d.day limit 1`,
    { day: text, digest: text },
  );
}
