import { sql } from "#server/platform/sql.ts";
import { readRows, text } from "../platform/database/read-rows.ts";
import type { Db, Tx } from "../platform/database.ts";

/**
 * Which of many scripts, as hex, are those of our addresses: one question, whatever the number of addresses. A join, since
 * PostgreSQL reads a large table whole for `= any` of thousands.
 */
export async function findScripts(
  db: Db | Tx,
  scripts: Iterable<string>,
): Promise<Map<string, string>> {
  const wanted = [...new Set(scripts)].map((script) => Buffer.from(script, "hex"));
  if (wanted.length === 0) return new Map();
  const rows = await readRows(
    db,
    sql`
      select encode(script, 'hex') as script, address from unnest(${sql.param(wanted)}::bytea[]) wanted (script)
        join chain_scripts using (script)`,
    { script: text, address: text },
  );
  return new Map(rows.map(({ script, address }) => [script, address]));
}
