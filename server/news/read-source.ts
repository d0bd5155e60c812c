import { createHash, randomUUIDv7 } from "node:crypto";
import { and, desc, eq, isNull, lte, notInArray } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { enqueue } from "../platform/jobs/jobs.ts";
import { decodeText } from "./decode-text.ts";
import type { FeedRules } from "./feed-address.ts";
import { type FetchedFeed, fetchFeed } from "./fetch-feed.ts";
import {
  type FeedItem,
  keptPerSource,
  pauseAfterFailuresMs,
  ReadFailure,
  readEveryMs,
} from "./news.ts";
import { parseFeedText } from "./parse-feed-text.ts";
import { newsItems, newsSources } from "./schema.ts";

type Source = typeof newsSources.$inferSelect;

/**
 * Has a source read soon, if the caller's transaction commits. Enqueues `news/read-source`; sources are read one
 * after the other, so that any number that hang hold up nothing else.
 */
export async function readSourceLater(tx: Tx | Db, sourceId: string): Promise<void> {
  const key = `news-source:${sourceId}`;
  const options = { key, maxAttempts: 1, queue: "news" };
  await enqueue(tx, "news/read-source", { sourceId }, options);
}

/** Has all sources read whose time has come. Enqueues `news/read-source` for each. */
export async function readDueSources(db: Db, now: Date): Promise<void> {
  const due = await db
    .select({ id: newsSources.id })
    .from(newsSources)
    .where(
      and(newsSources.enabled, isNull(newsSources.removedAt), lte(newsSources.nextReadAt, now)),
    );
  for (const { id } of due) await readSourceLater(db, id);
}

/**
 * Reads a feed and keeps what is new in it. A feed that fails is not an error of ours: it is written down
 * beside the source, what was read before stays, and the next reading waits longer each time.
 */
export async function readSource(
  db: Db,
  sourceId: string,
  { now, stopping, ...rules }: FeedRules & { now: Date; stopping?: AbortSignal },
): Promise<void> {
  const [source] = await db
    .select()
    .from(newsSources)
    .where(and(eq(newsSources.id, sourceId), newsSources.enabled, isNull(newsSources.removedAt)));
  if (!source) return;
  try {
    const fetched = await fetchFeed({ ...source, ...rules, ...(stopping && { stopping }) });
    const found = fetched.unchanged ? null : await findItems(fetched, now);
    await db.transaction((tx) => keep(tx, source, { fetched, found, now }));
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    // The worker ends: that is no fault of the feed, which stays due.
    if (stopping?.aborted) return;
    await recordFailure(db, source, error, now);
  }
}

type Found = Awaited<ReturnType<typeof parseFeedText>>;

function findItems(fetched: FetchedFeed & { unchanged: false }, now: Date): Promise<Found> {
  const text = decodeText(fetched.bytes, fetched.contentType);
  return parseFeedText({ text, url: fetched.url, now });
}

async function keep(
  tx: Tx,
  source: Source,
  read: { fetched: FetchedFeed; found: Found | null; now: Date },
): Promise<void> {
  const { fetched, found, now } = read;
  const stillWanted = await tx
    .update(newsSources)
    .set({
      nextReadAt: new Date(now.getTime() + readEveryMs),
      readAt: now,
      succeededAt: now,
      failures: 0,
      lastFailure: null,
      ...(found && { skipped: found.skipped }),
      ...(!fetched.unchanged && { etag: fetched.etag, lastModified: fetched.lastModified }),
    })
    .where(isAsRead(source))
    .returning({ id: newsSources.id });
  if (stillWanted.length === 0 || !found) return;
  await findAgain(tx, source.id, found.items);
  for (const item of found.items) await keepItem(tx, source.id, item, now);
  await forgetOldItems(tx, source.id);
}

/** Nobody took it away or gave it another address while it was read. */
function isAsRead(source: Source) {
  return and(
    eq(newsSources.id, source.id),
    eq(newsSources.url, source.url),
    isNull(newsSources.removedAt),
  );
}

/** A feed that calls everything anew each time has nothing new: the same title on the same page is the same item. */
async function findAgain(tx: Tx, sourceId: string, items: FeedItem[]): Promise<void> {
  const keys = items.map(({ key }) => sha256(key));
  const known = await tx.select().from(newsItems).where(eq(newsItems.sourceId, sourceId));
  const isKnown = (key: Buffer) => known.some(({ keySha256 }) => key.equals(keySha256));
  const gone = known.filter(({ keySha256 }) => !keys.some((key) => key.equals(keySha256)));
  for (const { key, url, title } of items) {
    const place = gone.findIndex((each) => each.url === url && each.title === title);
    if (place < 0 || isKnown(sha256(key))) continue;
    const [same] = gone.splice(place, 1);
    if (same)
      await tx
        .update(newsItems)
        .set({ keySha256: sha256(key) })
        .where(eq(newsItems.id, same.id));
  }
}

/** An item that was seen before may have new words; its time stays, so that nobody climbs by editing. */
async function keepItem(tx: Tx, sourceId: string, item: FeedItem, now: Date): Promise<void> {
  const { key, publishedAt, ...words } = item;
  await tx
    .insert(newsItems)
    .values({
      id: randomUUIDv7(),
      sourceId,
      keySha256: sha256(key),
      ...words,
      publishedAt,
      firstSeenAt: now,
    })
    .onConflictDoUpdate({ target: [newsItems.sourceId, newsItems.keySha256], set: words });
}

function sha256(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

async function forgetOldItems(tx: Tx, sourceId: string): Promise<void> {
  const newest = await tx
    .select({ id: newsItems.id })
    .from(newsItems)
    .where(eq(newsItems.sourceId, sourceId))
    .orderBy(desc(newsItems.publishedAt), desc(newsItems.id))
    .limit(keptPerSource);
  const kept = newest.map(({ id }) => id);
  if (kept.length < keptPerSource) return;
  await tx
    .delete(newsItems)
    .where(and(eq(newsItems.sourceId, sourceId), notInArray(newsItems.id, kept)));
}

async function recordFailure(
  db: Db,
  source: Source,
  { reason, retryAfterMs }: ReadFailure,
  now: Date,
): Promise<void> {
  const failures = source.failures + 1;
  const pauseMs = pauseAfterFailuresMs(failures, retryAfterMs);
  await db
    .update(newsSources)
    .set({
      readAt: now,
      failures,
      lastFailure: reason,
      nextReadAt: new Date(now.getTime() + pauseMs),
    })
    .where(isAsRead(source));
}
