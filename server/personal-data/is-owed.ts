import { flag, getRow } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** Whether the account still has a balance, or something in it waits for a decision. */
export async function isOwed(db: Db | Tx, customerId: string): Promise<boolean> {
  const owed = sql`select something_is_owed(${customerId}) as owed`;
  return (await getRow(db, owed, { owed: flag })).owed;
}

/** The same but for what is available. */
export async function isElseOwed(db: Db | Tx, customerId: string): Promise<boolean> {
  const owed = sql`select something_else_is_owed(${customerId}) as owed`;
  return (await getRow(db, owed, { owed: flag })).owed;
}
