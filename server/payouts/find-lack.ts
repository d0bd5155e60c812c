import { sql } from "#server/platform/sql.ts";
import { getRow, orNull, units as whole } from "../platform/database/read-rows.ts";
import type { Db, Tx } from "../platform/database.ts";

/**
 * How many satoshis the pool's coins would lack with a payout that waits; zero or below: they cover it. Null: no coins are asked for,
 * since it paid nothing, or the pool has no address and the site is on a test network.
 */
export async function findLack(
  db: Db | Tx,
  { poolId, units, corrects }: { poolId: string; units: bigint; corrects: string | null },
): Promise<bigint | null> {
  const { lack } = await getRow(
    db,
    sql`select payout_lacks(${poolId}, ${units}, ${corrects}) as lack`,
    { lack: orNull(whole) },
  );
  return lack;
}
