import type { ReadFailureReason } from "#core/payments/read-failures.ts";

/** How one reading of a feed is bounded. */
export const readLimits = {
  /** From the first connection to the last byte, redirects included. */
  timeoutMs: 10_000,
  /** What is kept in memory, and what it may unpack to. */
  maxBytes: 2 * 1024 * 1024,
  maxRedirects: 3,
  /** For taking the text apart, in a thread that is ended after it. */
  parseTimeoutMs: 5_000,
  maxItems: 50,
} as const;

/** When a feed is read again: after a success, and at most after failures. */
export const readEveryMs = 30 * 60_000;
export const readAtLatestMs = 24 * 3_600_000;

/** Items of a source that are kept. */
export const keptPerSource = 50;

/** A feed could not be read. The reading failed, not the product. */
export class ReadFailure extends Error {
  override name = "ReadFailure";
  readonly reason: ReadFailureReason;
  /** The site asked for this pause. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: ReadFailureReason, retryAfterMs?: number) {
    super(reason);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** How long to wait after so many failures in a row: an hour, two, four, at most a day. */
export function pauseAfterFailuresMs(failures: number, askedMs = 0): number {
  const doubled = readEveryMs * 2 ** Math.min(failures, 10);
  return Math.min(Math.max(doubled, askedMs), readAtLatestMs);
}

/** An item as it stands in a feed, all of it text that nobody has looked at yet. */
export interface RawItem {
  id: string;
  title: string;
  link: string;
  summary: string;
  date: string;
}

/** An item that may be shown: plain text, and a link to a web page. */
export interface FeedItem {
  /** What the feed calls it. */
  key: string;
  title: string;
  url: string;
  summary: string;
  publishedAt: Date;
}
