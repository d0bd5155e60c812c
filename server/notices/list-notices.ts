import { and, desc, eq, lt } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { urgentKinds } from "./notice.ts";
import { notices } from "./schema.ts";

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
    id,
    title,
    body,
    path,
    createdAt,
    isUrgent: urgentKinds.has(kind),
    isRead: readAt !== null,
  }));
}
