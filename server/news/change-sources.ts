import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull, ne } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { checkFeedAddress, type FeedRules } from "./feed-address.ts";
import { readSourceLater } from "./read-source.ts";
import { newsItems, newsSources } from "./schema.ts";

type Staff = ActingOperator;

export interface WantedSource {
  /** What stands beside its news. */
  name: string;
  url: string;
  enabled: boolean;
}

/**
 * Adds a feed of another site; the worker reads it at once. Adding one that is there already changes nothing.
 *
 * @throws Refusal `news/not-https`, `news/address-not-allowed`, `news/not-an-address`, `news/name-missing`
 */
export async function addSource(
  db: Db,
  operator: Staff,
  wanted: WantedSource & FeedRules,
  now: Date,
): Promise<{ sourceId: string }> {
  const source = checked(wanted);
  return db.transaction(async (tx) => {
    const twin = await findByUrl(tx, source.url);
    if (twin) return { sourceId: twin };
    const sourceId = randomUUIDv7();
    const subject = `news-source:${sourceId}`;
    const act = { act: "news/add-source" as const, subject, detail: { ...source }, now };
    await actAsOperator(tx, operator, act, async (inner, auditId) => {
      const acts = { createdByAct: auditId, changedByAct: auditId };
      await inner
        .insert(newsSources)
        .values({ id: sourceId, ...source, createdAt: now, nextReadAt: now, ...acts });
      await readSourceLater(inner, sourceId);
    });
    return { sourceId };
  });
}

/**
 * Renames a source, gives it another address, or switches it on or off. Under another address it begins anew.
 *
 * @throws Refusal `news/changed-meanwhile`, `news/source-exists`, `news/no-such-source` and those of `addSource`
 */
export async function changeSource(
  db: Db,
  operator: Staff,
  change: WantedSource & FeedRules & { sourceId: string; seenRevision: number },
  now: Date,
): Promise<void> {
  const source = checked(change);
  await db.transaction(async (tx) => {
    const before = await lockSource(tx, change.sourceId);
    if (isSame(before, source)) return;
    if (before.revision !== change.seenRevision) throw new Refusal("news/changed-meanwhile");
    const twin = await findByUrl(tx, source.url, before.id);
    if (twin) throw new Refusal("news/source-exists");
    const isMoved = before.url !== source.url;
    const act = {
      act: "news/change-source" as const,
      subject: `news-source:${before.id}`,
      detail: { ...source, before: `${before.name} ${before.url}`, wasEnabled: before.enabled },
      now,
    };
    await actAsOperator(tx, operator, act, async (inner, auditId) => {
      await inner
        .update(newsSources)
        .set({
          ...source,
          revision: before.revision + 1,
          changedByAct: auditId,
          ...(isMoved && { etag: null, lastModified: null }),
          ...((isMoved || !before.enabled) && { nextReadAt: now, failures: 0, lastFailure: null }),
        })
        .where(eq(newsSources.id, before.id));
      if (isMoved) await inner.delete(newsItems).where(eq(newsItems.sourceId, before.id));
      if (source.enabled && (isMoved || !before.enabled)) await readSourceLater(inner, before.id);
    });
  });
}

/** Takes a source away, with everything that was read from it. */
export async function removeSource(
  db: Db,
  operator: Staff,
  sourceId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, name, url } = await lockSource(tx, sourceId);
    const subject = `news-source:${id}`;
    const act = { act: "news/remove-source" as const, subject, detail: { name, url }, now };
    await actAsOperator(tx, operator, act, async (inner, auditId) => {
      await inner.delete(newsItems).where(eq(newsItems.sourceId, id));
      await inner
        .update(newsSources)
        .set({ removedAt: now, enabled: false, changedByAct: auditId })
        .where(eq(newsSources.id, id));
    });
  });
}

/** Has a source read now, whatever pause its failures would ask for. */
export async function readSourceNow(
  db: Db,
  operator: Staff,
  sourceId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, enabled } = await lockSource(tx, sourceId);
    if (!enabled) throw new Refusal("news/source-disabled");
    const act = { act: "news/read-now" as const, subject: `news-source:${id}`, detail: {}, now };
    await actAsOperator(tx, operator, act, (inner) => readSourceLater(inner, id));
  });
}

function checked({ name, url, enabled, allowLoopback }: WantedSource & FeedRules): WantedSource {
  const shown = name.trim();
  if (shown === "") throw new Refusal("news/name-missing");
  if (!URL.canParse(url.trim())) throw new Refusal("news/not-an-address");
  const address = new URL(url.trim());
  const fault = checkFeedAddress(address, { allowLoopback });
  if (fault) throw new Refusal(`news/${fault}`);
  address.hash = "";
  return { name: shown.slice(0, 80), url: address.href, enabled };
}

async function lockSource(tx: Tx, sourceId: string) {
  const [source] = await tx
    .select()
    .from(newsSources)
    .where(and(eq(newsSources.id, sourceId), isNull(newsSources.removedAt)))
    .for("update");
  if (!source) throw new Refusal("news/no-such-source");
  return source;
}

async function findByUrl(tx: Tx, url: string, otherThan?: string): Promise<string | null> {
  const [twin] = await tx
    .select({ id: newsSources.id })
    .from(newsSources)
    .where(
      and(
        eq(newsSources.url, url),
        isNull(newsSources.removedAt),
        otherThan ? ne(newsSources.id, otherThan) : undefined,
      ),
    );
  return twin?.id ?? null;
}

function isSame(before: WantedSource, wanted: WantedSource): boolean {
  return (
    before.name === wanted.name && before.url === wanted.url && before.enabled === wanted.enabled
  );
}
