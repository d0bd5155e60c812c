import { sql } from "#server/platform/sql.ts";
import { flag, getRow, orNull, units as whole } from "../platform/database/read-rows.ts";
import type { Db, Tx } from "../platform/database.ts";

/**
 * Whether the pool's coins would cover a payout that waits, and how many satoshis they would lack with it; zero or below: none, but they
 * cover nothing while the chain's source cannot be used. Null: no coins are asked for, since it paid nothing, or the pool has no address
 * and the site is on a test network.
 */
export async function findLack(
  db: Db | Tx,
  { poolId, units, corrects }: { poolId: string; units: bigint; corrects: string | null },
): Promise<{ lack: bigint | null; covers: boolean | null }> {
  const asked = sql`
    select lack, coins_suffice(lack) as covers from (select payout_lacks(${poolId}, ${units}, ${corrects}) as lack offset 0) once`;
  return getRow(db, asked, { lack: orNull(whole), covers: orNull(flag) });
}
