import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { pools } from "./schema.ts";

/** A pool, held until the transaction ends: whoever writes down what it paid waits for the one before. */
export async function lockPool(tx: Tx, poolId: string) {
  const [pool] = await tx.select().from(pools).where(eq(pools.id, poolId)).for("update");
  if (!pool) throw new Refusal("payouts/no-such-pool");
  return pool;
}
