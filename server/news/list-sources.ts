import { and, asc, desc, eq, isNull, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { newsItems, newsSources } from "./schema.ts";

const s = newsSources;

const i = newsItems;

// What follows is for staff.

const columns = {
  id: s.id,
  name: s.name,
  url: s.url,
  enabled: s.enabled,
  revision: s.revision,
  createdAt: s.createdAt,
  readAt: s.readAt,
  succeededAt: s.succeededAt,
  nextReadAt: s.nextReadAt,
  failures: s.failures,
  lastFailure: s.lastFailure,
  skipped: s.skipped,
  changedBy: users.name,
};

function selectSources(db: Db | Tx) {
  return db
    .select({
      ...columns,
      itemCount: sql<number>`(select count(*) from news_items n where n.source_id = ${s.id})::int`,
    })
    .from(s)
    .innerJoin(auditLog, eq(auditLog.id, s.changedByAct))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .$dynamic();
}

/** All feeds that were chosen, with how their reading goes. */
export function listSources(db: Db | Tx) {
  return selectSources(db).where(isNull(s.removedAt)).orderBy(asc(s.createdAt), asc(s.id));
}

export type ListedSource = Awaited<ReturnType<typeof listSources>>[number];

/** One feed, or null. */
export async function findSource(db: Db | Tx, id: string): Promise<ListedSource | null> {
  const [source] = await selectSources(db).where(
    and(sql`${s.id}::text = ${id}`, isNull(s.removedAt)),
  );
  return source ?? null;
}

/** The newest lines of one feed, as they are shown. */
export function listItemsOfSource(db: Db | Tx, sourceId: string, limit: number) {
  return db
    .select()
    .from(i)
    .where(eq(i.sourceId, sourceId))
    .orderBy(desc(i.publishedAt), desc(i.id))
    .limit(limit);
}
