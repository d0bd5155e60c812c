import { and, asc, desc, eq, isNull, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { newsItems, newsSources } from "./schema.ts";

const s = newsSources;
const i = newsItems;

/** A line of news from elsewhere. All of it is plain text. */
export interface NewsItem {
  id: string;
  title: string;
  url: string;
  /** The name that the operator gave the source. */
  source: string;
  publishedAt: Date;
  summary: string;
}

const isShown = and(s.enabled, isNull(s.removedAt));

/** What two feeds mean by one page, though one says http, www or a slash more. */
const article = sql`regexp_replace(${i.url}, '^https?://(www[.])?|/$', '', 'gi')`;

/**
 * The newest lines of all sources that are switched on; what two of them report is the line of the first. A source
 * gets more than half of the lines only where the others leave room: none crowds them out by writing much, or by
 * calling everything new.
 */
export async function listNews(db: Db | Tx, { limit }: { limit: number }): Promise<NewsItem[]> {
  const { id, title, url, publishedAt, summary } = i;
  const reported = db
    .select({
      ...{ id, title, url, source: s.name, publishedAt, summary, sourceId: i.sourceId },
      reporter:
        sql`first_value(${i.sourceId}) over (partition by ${article} order by ${publishedAt}, ${id})`.as(
          "reporter",
        ),
    })
    .from(i)
    .innerJoin(s, eq(s.id, i.sourceId))
    .where(isShown)
    .as("reported");
  const r = reported;
  const turn = sql`row_number() over (partition by ${r.sourceId} order by ${r.publishedAt} desc, ${r.id} desc)`;
  const lines = await db
    .select({
      ...{ id: r.id, title: r.title, url: r.url, source: r.source },
      ...{ publishedAt: r.publishedAt, summary: r.summary },
    })
    .from(reported)
    .where(eq(r.reporter, r.sourceId))
    .orderBy(sql`${turn} > ${limit}::int / 2`, desc(r.publishedAt), desc(r.id))
    .limit(limit);
  return lines.sort((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime());
}

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
