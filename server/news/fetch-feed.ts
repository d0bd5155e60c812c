import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { OutsideFailure, readBounded } from "../platform/ask-outside.ts";
import { checkFeedAddress, type FeedRules } from "./feed-address.ts";
import { ReadFailure, readLimits } from "./news.ts";
import { notAllowed, publicLookup, type Resolve } from "./public-address.ts";

export interface FeedRequest extends FeedRules {
  url: string;
  /** What the site said of the last version: an unchanged feed is not sent again. */
  etag: string | null;
  lastModified: string | null;
  /** Ends the reading at once. */
  stopping?: AbortSignal;
  resolve?: Resolve;
  limits?: { timeoutMs: number; maxBytes: number; maxRedirects: number };
}

export type FetchedFeed =
  | { unchanged: true }
  | {
      unchanged: false;
      /** Where it stood in the end; links are relative to it. */
      url: string;
      bytes: Buffer;
      contentType: string;
      etag: string | null;
      lastModified: string | null;
    };

/**
 * Fetches a feed from a stranger's site. Follows a few redirects, each looked at like the first address;
 * ends after ten seconds whatever the other side does; keeps no more than 2 MB, counted after unpacking.
 *
 * @throws ReadFailure
 */
export async function fetchFeed(wanted: FeedRequest): Promise<FetchedFeed> {
  const limits = wanted.limits ?? readLimits;
  const ends = [AbortSignal.timeout(limits.timeoutMs), wanted.stopping];
  const signal = AbortSignal.any(ends.filter((end) => end !== undefined));
  try {
    let url = new URL(wanted.url);
    for (let hop = 0; hop <= limits.maxRedirects; hop += 1) {
      const response = await ask(url, wanted, signal);
      const next = redirection(response, url);
      if (!next) return await receive(response, url, limits.maxBytes);
      response.destroy();
      url = next;
    }
    throw new ReadFailure("too-many-redirects");
  } catch (error) {
    throw asReadFailure(error, signal);
  }
}

function ask(url: URL, wanted: FeedRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const fault = checkFeedAddress(url, wanted);
  if (fault) throw new ReadFailure(fault);
  const options = {
    signal,
    agent: false,
    lookup: publicLookup(wanted.resolve),
    headers: {
      accept:
        "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1",
      "accept-encoding": "gzip, br, deflate",
      "user-agent": "feed-reader",
      ...(wanted.etag !== null && { "if-none-match": wanted.etag }),
      ...(wanted.lastModified !== null && { "if-modified-since": wanted.lastModified }),
    },
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request: ClientRequest = send(url, options, resolve);
    request.on("error", reject);
    // A 101 is no answer: the connection is closed without an error. A 103 is none either, and runs into the time limit.
    request.on("close", () => reject(new ReadFailure("unexpected-answer")));
    request.end();
  });
}

function redirection({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return null;
  const { location } = headers;
  if (!location || !URL.canParse(location, from)) throw new ReadFailure("unexpected-answer");
  return new URL(location, from);
}

async function receive(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
): Promise<FetchedFeed> {
  const { statusCode = 0, headers } = response;
  try {
    if (statusCode === 304) return { unchanged: true };
    if (statusCode !== 200) throw failureOf(response);
    if (Number(headers["content-length"] ?? 0) > maxBytes) throw new ReadFailure("too-large");
    const bytes = await readBounded(unpacked(response), maxBytes);
    return {
      unchanged: false,
      url: url.href,
      bytes,
      contentType: headers["content-type"] ?? "",
      etag: shortHeader(headers.etag),
      lastModified: shortHeader(headers["last-modified"]),
    };
  } finally {
    response.destroy();
  }
}

function failureOf({ statusCode = 0, headers }: IncomingMessage): ReadFailure {
  if (statusCode === 404) return new ReadFailure("not-found");
  if (statusCode === 410) return new ReadFailure("gone");
  const pause = retryAfterMs(headers["retry-after"]);
  if (statusCode === 429) return new ReadFailure("too-often", pause);
  if (statusCode >= 500) return new ReadFailure("server-failed", pause);
  return new ReadFailure(statusCode >= 400 ? "refused" : "unexpected-answer");
}

/** Only as seconds; a date would have to be believed together with the other side's clock. */
function retryAfterMs(header: string | undefined): number | undefined {
  return header && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return response;
  const unpack = unpackers[encoding]?.();
  if (!unpack) throw new ReadFailure("unexpected-answer");
  response.on("error", (error) => unpack.destroy(error));
  return response.pipe(unpack);
}

const unpackers: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress as unknown as typeof createGunzip,
};

/** What is sent back to the site next time; longer ones are nonsense. */
function shortHeader(value: string | undefined): string | null {
  return value && value.length <= 500 ? value : null;
}

function asReadFailure(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof ReadFailure) return error;
  if (error instanceof OutsideFailure) return new ReadFailure("too-large");
  if (signal.aborted) return new ReadFailure("timed-out");
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === notAllowed) return new ReadFailure("address-not-allowed");
  if (/CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(code)) {
    return new ReadFailure("certificate-not-trusted");
  }
  if (/^(?:E[A-Z_]+|EAI_AGAIN)$/.test(code) && !code.startsWith("ERR_")) {
    return new ReadFailure("unreachable");
  }
  return new ReadFailure("unexpected-answer");
}
