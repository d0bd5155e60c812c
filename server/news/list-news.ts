import { and, desc, eq, isNull, sql } from "#server/platform/sql.ts";
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
