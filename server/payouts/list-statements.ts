import { count, desc, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { poolPayouts, poolStatements, pools } from "./schema.ts";

/** The statements that came last, with how many payouts rest on each. */
export function listStatements(db: Db | Tx, { poolId, limit }: { poolId?: string; limit: number }) {
  return db
    .select({
      id: poolStatements.id,
      poolName: pools.name,
      source: poolStatements.source,
      name: poolStatements.name,
      receivedAt: poolStatements.receivedAt,
      payouts: count(poolPayouts.id),
    })
    .from(poolStatements)
    .innerJoin(pools, eq(pools.id, poolStatements.poolId))
    .leftJoin(poolPayouts, eq(poolPayouts.statementId, poolStatements.id))
    .where(poolId ? eq(poolStatements.poolId, poolId) : undefined)
    .groupBy(poolStatements.id, pools.name)
    .orderBy(desc(poolStatements.receivedAt), desc(poolStatements.id))
    .limit(limit);
}
