import { asc, eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { withdrawalBatchVersions } from "../schema.ts";

/** Where a version stands, for the tests and pages of batches. */
export function listVersions(db: Db, batchId: string) {
  const v = withdrawalBatchVersions;
  return db.select().from(v).where(eq(v.batchId, batchId)).orderBy(asc(v.number));
}
