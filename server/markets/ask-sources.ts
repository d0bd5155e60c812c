import { inArray, sql } from "#server/platform/sql.ts";
import { asInserted } from "../platform/database/as-inserted.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Log } from "../platform/log/log.ts";
import { marketSources } from "./schema.ts";
import { mayAsk, type Outcome, type SourceRecord, stateAfter } from "./source-state.ts";
import { type Ask, askAt, SourceError } from "./sources/ask.ts";

/** How one source was asked: under which name it is kept account of, where, and for what. */
export interface Question<T> {
  source: string;
  url: string;
  put: (ask: Ask) => Promise<T>;
}

/** What became of a question; sources that are left alone for a while have neither answer nor error. */
export interface Asked<T> {
  source: string;
  answer: T | null;
  before: SourceRecord | undefined;
  /** What is known of the source now; null: it was not asked. */
  after: SourceRecord | null;
}

/** Asks several sources at once, each within its time, without those that are to be left alone. Never throws for them. */
export async function askSources<T>(
  db: Db,
  questions: Array<Question<T>>,
  {
    askedAt,
    withinMs,
    stopping,
  }: { askedAt: Date; withinMs: number; stopping?: AbortSignal | undefined },
): Promise<Array<Asked<T>>> {
  const known = await loadRecords(
    db,
    questions.map(({ source }) => source),
  );
  const inTime = AbortSignal.timeout(withinMs);
  const signal = stopping ? AbortSignal.any([inTime, stopping]) : inTime;
  return Promise.all(
    questions.map(async ({ source, url, put }): Promise<Asked<T>> => {
      const before = known.get(source);
      if (!mayAsk(before, askedAt)) return { source, answer: null, before, after: null };
      const { answer, error } = await attempt(() => put(askAt(url, signal)));
      return { source, answer, before, after: stateAfter(before, source, error, askedAt) };
    }),
  );
}

async function attempt<T>(put: () => Promise<T>): Promise<{ answer: T | null; error: Outcome }> {
  try {
    return { answer: await put(), error: null };
  } catch (error) {
    // Whatever a source sends, it must not spoil the round for the others.
    const known = error instanceof SourceError;
    return { answer: null, error: known ? error : new SourceError("sent what nobody can read") };
  }
}

async function loadRecords(db: Db, sources: string[]): Promise<Map<string, SourceRecord>> {
  if (sources.length === 0) return new Map();
  const rows = await db.select().from(marketSources).where(inArray(marketSources.source, sources));
  return new Map(rows.map((row) => [row.source, row]));
}

/** Writes down how the sources are after a round. An older round that ends late changes nothing. */
export async function recordSources(
  tx: Tx | Db,
  asked: ReadonlyArray<Asked<unknown>>,
): Promise<void> {
  const records = asked.flatMap(({ after }) => after ?? []);
  if (records.length === 0) return;
  const s = marketSources;
  await tx
    .insert(s)
    .values(records)
    .onConflictDoUpdate({
      target: s.source,
      set: asInserted(
        s,
        "state",
        "since",
        "lastAskedAt",
        "lastAnswerAt",
        "lastError",
        "lastErrorAt",
        "failures",
        "askAgainAt",
      ),
      setWhere: sql`${s.lastAskedAt} <= excluded.last_asked_at`,
    });
}

/** Says in the log which sources began or ceased to answer: once per change, however often they are asked. */
export function logSourceChanges(log: Log, asked: ReadonlyArray<Asked<unknown>>): void {
  for (const { source, before, after } of asked) {
    if (!after || after.state === (before?.state ?? "answering")) continue;
    const { state, lastError, askAgainAt } = after;
    if (state === "answering") log.info({ source }, "market source answers again");
    else
      log.warn({ source, state, reason: lastError, askAgainAt }, "market source does not answer");
  }
}
