import { desc } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { chainReorgs } from "./schema.ts";

/** Branches that were left, newest first. */
export function listReorgs(db: Db, limit: number) {
  return db
    .select()
    .from(chainReorgs)
    .orderBy(desc(chainReorgs.foundAt), desc(chainReorgs.id))
    .limit(limit);
}
