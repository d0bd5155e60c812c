import { inArray } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { type Notice, noticeKey } from "./notice.ts";
import { notices } from "./schema.ts";

/** Whether a customer was told one of these. */
export async function isSent(db: Db | Tx, wanted: readonly Notice[]): Promise<boolean> {
  const told = await db
    .select({ id: notices.id })
    .from(notices)
    .where(inArray(notices.key, wanted.map(noticeKey)))
    .limit(1);
  return told.length > 0;
}
