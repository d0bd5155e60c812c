import { asc } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { sites } from "./schema.ts";

export interface Site {
  id: string;
  name: string;
  place: string;
}

/** The sites by name. */
export function listSites(db: Db | Tx): Promise<Site[]> {
  return db
    .select({ id: sites.id, name: sites.name, place: sites.place })
    .from(sites)
    .orderBy(asc(sites.name))
    .limit(500);
}
