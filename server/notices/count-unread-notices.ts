import { and, eq, isNull, sql } from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db, Tx } from "../platform/database.ts";
import { notices } from "./schema.ts";

/** So many are counted; more are said to be more. */
export const mostCounted = 99;

/** How many of a customer's notices are not read yet, up to one more than `mostCounted`. */
export async function countUnreadNotices(db: Db | Tx, customerId: string): Promise<number> {
  const rows = await selectUnread(db, { customerId });
  return rows.length;
}

const selectUnread = prepared((db) =>
  db
    .select({ one: sql`1` })
    .from(notices)
    .where(and(eq(notices.customerId, sql.placeholder("customerId")), isNull(notices.readAt)))
    .limit(mostCounted + 1)
    .prepare("notices_unread"),
);
