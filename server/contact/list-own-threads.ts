import { isUuid } from "#core/is-uuid.ts";
import { and, desc, eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db, Tx } from "../platform/database.ts";
import { contactThreads } from "./schema.ts";
import type { OwnThreadState } from "./thread.ts";

const t = contactThreads;

export interface OwnThread {
  threadId: string;
  reference: string;
  subject: string;
  state: OwnThreadState;
  lastAt: Date;
  /** Whether staff answered what the customer has not opened since. */
  hasNews: boolean;
}

/** A customer's own threads, by their last word, newest first. `after`: the id that the last page ended with. */
export async function listOwnThreads(
  db: Db | Tx,
  customerId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<OwnThread[]> {
  const isOlder = isUuid(after)
    ? sql`(${t.lastAt}, ${t.id}) < (select c.last_at, c.id from contact_threads c where c.id = ${after} and c.customer_id = ${customerId})`
    : undefined;
  const rows = await db
    .select({
      threadId: t.id,
      reference: t.reference,
      subject: t.subject,
      state: sql<OwnThreadState>`${t.state}`,
      lastAt: t.lastAt,
      hasNews: t.hasNews,
    })
    .from(t)
    .where(and(eq(t.customerId, customerId), isOlder))
    .orderBy(desc(t.lastAt), desc(t.id))
    .limit(limit);
  return rows;
}

/** So many are counted; more are said to be more. */
const mostCounted = 99;

/**
 * In how many of a customer's threads staff answered what they have not opened since, up to one more than 99. `opened`: the
 * one that is being opened now.
 */
export async function countThreadsWithNews(
  db: Db | Tx,
  customerId: string,
  opened: string | null = null,
): Promise<number> {
  return (await selectNews(db, { customerId, opened })).length;
}

const selectNews = prepared((db) =>
  db
    .select({ one: sql`1` })
    .from(t)
    .where(
      and(
        eq(t.customerId, sql.placeholder("customerId")),
        t.hasNews,
        sql`${t.id} is distinct from ${sql.placeholder("opened")}::uuid`,
      ),
    )
    .limit(mostCounted + 1)
    .prepare("contact_news"),
);
