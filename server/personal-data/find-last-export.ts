import { desc, eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { dataExports } from "./schema.ts";

/** The newest copy of his data that a customer asked for, or null. */
export async function findLastExport(db: Db, customerId: string) {
  const e = dataExports;
  const [last] = await db
    .select({
      exportId: e.id,
      state: e.state,
      askedAt: e.askedAt,
      readyAt: e.readyAt,
      expiresAt: e.expiresAt,
      byteSize: e.byteSize,
    })
    .from(e)
    .where(eq(e.customerId, customerId))
    .orderBy(desc(e.askedAt), desc(e.id))
    .limit(1);
  return last ?? null;
}
