import type { z } from "#core/zod.ts";
import {
  askOutside,
  type OutsideAnswer,
  OutsideFailure,
  parseOutsideJson,
} from "../../platform/ask-outside.ts";

/** An answer is much smaller than that: 720 daily candles of Kraken are 60 kB. */
const maxAnswerBytes = 1024 * 1024;
/** From the request to the last byte of the answer. */
const answerWithinMs = 5_000;
const longestRetryAfterMs = 60 * 60_000;

/** An exchange did not answer with what it should. The message is short, and holds nothing that it sent. */
export class SourceError extends Error {
  override name = "SourceError";
  /** Whether it said that it is asked too often. */
  readonly isLimiting: boolean;
  /** How long it wants to be left alone; null: it did not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, limiting: { retryAfterMs: number | null } | null = null) {
    super(message);
    this.isLimiting = limiting !== null;
    this.retryAfterMs = limiting?.retryAfterMs ?? null;
  }
}

export interface Answer<T> {
  value: T;
  /** When the answer was made, by the source's own clock (its Date header, less the age of a cached copy). */
  madeAt: Date;
}

/** Puts one question to a source: a path with its query, and the shape that an answer has. */
export type Ask = <T>(path: string, shape: Shape<T>) => Promise<Answer<T>>;
type Shape<T> = z.ZodMiniType<T>;

/** Answers that a source marked with an ETag: asked again, it need not send them twice. */
const remembered = new Map<string, { etag: string; bytes: Buffer }>();
const rememberedAtMost = 64;

/** Makes the function with which a source is asked, below one base URL and until `signal`. */
export function askAt(baseUrl: string, signal: AbortSignal): Ask {
  return async (path, shape) => {
    const url = `${baseUrl}${path}`;
    const askedAt = new Date();
    try {
      const { bytes, headers } = await answerOf(url, signal);
      return { value: parseAs(bytes, shape), madeAt: madeAt(headers, askedAt) };
    } catch (error) {
      throw error instanceof OutsideFailure ? new SourceError(saidShortly(error)) : error;
    }
  };
}

async function answerOf(url: string, stopping: AbortSignal) {
  const known = remembered.get(url);
  const response = await askOutside(url, {
    withinMs: answerWithinMs,
    maxBytes: maxAnswerBytes,
    stopping,
    headers: {
      accept: "application/json",
      "user-agent": "Assay (price service)",
      ...(known && { "if-none-match": known.etag }),
    },
  });
  const { headers, bytes } = response;
  if (response.status === 304 && known) return { bytes: known.bytes, headers };
  if (!response.ok) throw refusal(response);
  remember(url, headers.get("etag"), bytes);
  return { bytes, headers };
}

function refusal({ status, headers }: OutsideAnswer): SourceError {
  // 418 is how some exchanges say 429 to who did not listen.
  const isLimiting = status === 429 || status === 418;
  const limiting = isLimiting ? { retryAfterMs: retryAfter(headers.get("retry-after")) } : null;
  return new SourceError(`answered ${status}`, limiting);
}

/** Seconds or a date; never longer than an hour, whatever it says. */
function retryAfter(text: string | null): number | null {
  if (!text) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms > 0 ? Math.min(ms, longestRetryAfterMs) : null;
}

function remember(url: string, etag: string | null, bytes: Buffer): void {
  remembered.delete(url);
  if (!etag) return;
  remembered.set(url, { etag, bytes });
  const [oldest] = remembered.keys();
  if (remembered.size > rememberedAtMost && oldest !== undefined) remembered.delete(oldest);
}

function parseAs<T>(bytes: Buffer, shape: Shape<T>): T {
  const parsed = shape.safeParse(parseOutsideJson(bytes));
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".").slice(0, 60) || "the whole";
  throw new SourceError(`answered in an unknown shape (at ${where})`);
}

function madeAt(headers: Headers, askedAt: Date): Date {
  const said = Date.parse(headers.get("date") ?? "");
  const age = Number(headers.get("age") ?? 0) * 1000;
  const made = (Number.isNaN(said) ? askedAt.getTime() : said) - (age > 0 ? age : 0);
  return new Date(made);
}

function saidShortly({ fault, message }: OutsideFailure): string {
  return {
    late: "no answer in time",
    stopped: "not waited for",
    unreadable: "answered with no JSON",
    "too-large": "answered with more than 1 MB",
    unreachable: message.replace("unreachable", "cannot be reached"),
  }[fault];
}
