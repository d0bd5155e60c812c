import type { Db } from "../platform/database.ts";
import { backupMarks } from "./schema.ts";

/** Notes the newest of its kind, for Health and the alarms. */
export async function markBackup(db: Db, mark: typeof backupMarks.$inferInsert): Promise<void> {
  const { of, ...found } = mark;
  await db
    .insert(backupMarks)
    .values(mark)
    .onConflictDoUpdate({ target: backupMarks.of, set: found });
}
