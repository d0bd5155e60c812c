import type { PoolFormat } from "#core/mining/pool-formats.ts";
import { asc, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { pools } from "./schema.ts";

export interface Pool {
  id: string;
  name: string;
  format: PoolFormat;
  countsFrom: string;
  countsUntil: string | null;
  /** The pool's own page on which anyone can look; null: none was named. */
  watchUrl: string | null;
}

/** The pools, those that still count first. */
export async function listPools(db: Db | Tx): Promise<Pool[]> {
  return db
    .select({
      id: pools.id,
      name: pools.name,
      format: pools.format,
      countsFrom: pools.countsFrom,
      countsUntil: pools.countsUntil,
      watchUrl: sql<string | null>`(
        select url from pool_watch_urls where pool_id = ${pools}.id order by number desc limit 1)`,
    })
    .from(pools)
    .orderBy(sql`${pools.countsUntil} is not null`, asc(pools.name))
    .limit(200);
}
