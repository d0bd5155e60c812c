import { desc } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { chainIncidents } from "./schema.ts";

/** What kept us from using a source, newest first. */
export function listIncidents(db: Db, limit: number) {
  return db
    .select()
    .from(chainIncidents)
    .orderBy(desc(chainIncidents.beganAt), desc(chainIncidents.id))
    .limit(limit);
}
