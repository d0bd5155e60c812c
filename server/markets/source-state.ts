import type { SourceState } from "./price.ts";
import type { SourceError } from "./sources/ask.ts";

/** What is known of a source: whether it answers, since when, and when it is asked again. */
export interface SourceRecord {
  source: string;
  state: SourceState;
  since: Date;
  lastAskedAt: Date;
  lastAnswerAt: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
  failures: number;
  /** Null: with the next round. */
  askAgainAt: Date | null;
}

/** How a question went: null is an answer. */
export type Outcome = SourceError | null;

const shortestLimitMs = 30_000;
const longestLimitMs = 15 * 60_000;
const longestFailureMs = 5 * 60_000;

/** What is known of a source after one more question. */
export function stateAfter(
  before: SourceRecord | undefined,
  source: string,
  error: Outcome,
  askedAt: Date,
): SourceRecord {
  const record = before ?? neverAsked(source, askedAt);
  return error === null ? answered(record, askedAt) : failed(record, error, askedAt);
}

function neverAsked(source: string, askedAt: Date): SourceRecord {
  return {
    source,
    state: "answering",
    since: askedAt,
    lastAskedAt: askedAt,
    lastAnswerAt: null,
    lastError: null,
    lastErrorAt: null,
    failures: 0,
    askAgainAt: null,
  };
}

function answered(record: SourceRecord, askedAt: Date): SourceRecord {
  return {
    ...record,
    state: "answering",
    since: record.state === "answering" ? record.since : askedAt,
    lastAskedAt: askedAt,
    lastAnswerAt: askedAt,
    failures: 0,
    askAgainAt: null,
  };
}

function failed(record: SourceRecord, error: SourceError, askedAt: Date): SourceRecord {
  const state = error.isLimiting ? "limiting" : "failing";
  const failures = record.failures + 1;
  const restMs = restAfter(error, failures);
  return {
    ...record,
    state,
    since: record.state === state ? record.since : askedAt,
    lastAskedAt: askedAt,
    lastError: error.message.slice(0, 200),
    lastErrorAt: askedAt,
    failures,
    askAgainAt: restMs === 0 ? null : new Date(askedAt.getTime() + restMs),
  };
}

/**
 * For how long a source is left alone. One that limits us: as long as it says, else a minute, doubled each
 * time to a quarter of an hour. One that fails: asked again twice as if nothing were, then after 30 s, doubled
 * each time to five minutes, so that a day without internet is no day of hammering.
 */
function restAfter(error: SourceError, failures: number): number {
  if (error.isLimiting) {
    const doubled = Math.min(60_000 * 2 ** (failures - 1), longestLimitMs);
    return Math.max(error.retryAfterMs ?? doubled, shortestLimitMs);
  }
  return failures < 3 ? 0 : Math.min(30_000 * 2 ** (failures - 3), longestFailureMs);
}

/** Whether a source may be asked in a round. */
export function mayAsk(record: SourceRecord | undefined, askedAt: Date): boolean {
  const again = record?.askAgainAt;
  // A moment far away is one that was written before the clock was set back.
  return !again || again <= askedAt || again.getTime() - askedAt.getTime() > 2 * 60 * 60_000;
}
