import { getRow, orNull, text } from "#server/platform/database/read-rows.ts";
import type { Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** The digest of the newest day that has one; null: there is none yet. No newer one is published until `tx` has ended. */
export async function findNewestDigest(tx: Tx): Promise<Uint8Array | null> {
  const row = await getRow(tx, sql`select encode(newest_digest(), 'hex') as digest`, {
    digest: orNull(text),
  });
  return row.digest === null ? null : Buffer.from(row.digest, "hex");
}
