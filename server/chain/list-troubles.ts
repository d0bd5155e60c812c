import { desc } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { chainTroubles } from "./schema.ts";

/** What kept us from using a source, newest first. */
export function listTroubles(db: Db, limit: number) {
  return db
    .select()
    .from(chainTroubles)
    .orderBy(desc(chainTroubles.beganAt), desc(chainTroubles.id))
    .limit(limit);
}
