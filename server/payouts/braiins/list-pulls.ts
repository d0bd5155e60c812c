import { eq, getTableColumns, isNull, or, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { poolPulls, pools } from "../schema.ts";

/** How the worker gets on with the pools that it asks. */
export function listPulls(db: Db | Tx) {
  return db
    .select({ ...getTableColumns(poolPulls), poolName: pools.name })
    .from(poolPulls)
    .innerJoin(pools, eq(pools.id, poolPulls.poolId))
    .where(or(isNull(pools.countsUntil), sql`jsonb_array_length(${poolPulls.differences}) > 0`))
    .limit(50);
}
