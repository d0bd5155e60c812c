import { flag, getRow } from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";
import { sql } from "../platform/sql.ts";

/** Whether one was ever made. */
export async function hasBackup(db: Db): Promise<boolean> {
  const query = sql`select exists (select from backup_marks where of = 'backup') as is`;
  return (await getRow(db, query, { is: flag })).is;
}
