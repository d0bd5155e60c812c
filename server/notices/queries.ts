import { and, desc, eq, isNull, lt, sql } from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db, Tx } from "../platform/database.ts";
import { urgentKinds } from "./notice.ts";
import { notices } from "./schema.ts";

/** So many are counted; more are said to be more. */
export const mostCounted = 99;

export interface ListedNotice {
  id: string;
  title: string;
  body: string;
  path: string;
  createdAt: Date;
  /** It asks for an act, or changes what was agreed. */
  isUrgent: boolean;
  isRead: boolean;
}

/** A customer's notices, newest first. `after`: the id that the last page ended with. */
export async function listNotices(
  db: Db | Tx,
  customerId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<ListedNotice[]> {
  const isOlder = after === undefined ? undefined : lt(notices.id, after);
  const rows = await db
    .select()
    .from(notices)
    .where(and(eq(notices.customerId, customerId), isOlder))
    .orderBy(desc(notices.id))
    .limit(limit);
  return rows.map(({ id, kind, title, body, path, createdAt, readAt }) => ({
    ...{ id, title, body, path, createdAt },
    isUrgent: urgentKinds.has(kind),
    isRead: readAt !== null,
  }));
}

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
