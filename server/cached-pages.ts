import { randomBytes, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ServerBuild } from "react-router";
import type { App, RequestFacts } from "./app-context.ts";
import { readCachedAddresses } from "./cached-addresses.ts";
import { resultOfFaqSearch } from "./content/search-faq.ts";
import { type Listening, listen } from "./platform/database/listen.ts";
import { NotCacheable, type RenderedPage } from "./platform/http/cached-page.ts";
import { inlineStyles } from "./platform/http/inline-styles.ts";
import { noncesToHashes } from "./platform/http/nonces-to-hashes.ts";
import {
  notCacheableAnswer,
  type PageAnswer,
  type PageRequest,
  pageAnswer,
} from "./platform/http/page-answer.ts";
import { openPageCache } from "./platform/http/page-cache.ts";
import { securityHeaders } from "./platform/http/security-headers.ts";
import { withTyped } from "./platform/http/with-typed.ts";
import { limitConcurrency } from "./platform/limit-concurrency.ts";
import { sql } from "./platform/sql.ts";

export type RenderPage = (request: Request, facts: RequestFacts) => Promise<Response>;

export interface CachedPages {
  /** The answer to a request for a fresh page: the common case, which waits for nothing. */
  answerAtOnce(request: PageRequest): PageAnswer | null;
  /**
   * The answer to a request for a page that everybody is shown alike; null: a page for this reader alone.
   *
   * @throws Busy when too many addresses wait to be rendered, and no old page can stand in
   */
  answer(request: PageRequest): Promise<PageAnswer | null>;
  /** What the pages show has changed: for this process, and for all others that serve them. */
  expire(): Promise<void>;
  /** Expires pages, from now on, when another process says so. */
  follow(): void;
  /** Renders every page once, so that all of them are there should the database go away. */
  renderAll(): Promise<void>;
  /** Finishes the page that is being rendered ahead, and begins no other. */
  stop(): Promise<void>;
}

/** On which processes tell each other that pages have changed. */
const channel = "public_pages";

/** Pages with a search: all searches that find the same share one page, which shows in its field what each reader typed. */
const searches = [{ path: "/faq", name: "q", resultOf: resultOfFaqSearch }];

function searchAt(address: string) {
  const [path, asked] = address.split("?");
  const search = searches.find((each) => each.path === path);
  const typed = search && new URLSearchParams(asked).get(search.name);
  return search && typed ? { ...search, typed } : null;
}

/** Serves the public pages from memory, each rendered once for all who ask within some seconds. */
export function openCachedPages(app: App, build: ServerBuild, renderPage: RenderPage): CachedPages {
  const addresses = readCachedAddresses(build);
  /** Addresses that somebody may have made up wait for each other, however many are asked for. */
  const limited = limitConcurrency(2, { asked: { places: 500, waitMs: 10_000 } });
  const render = (address: string) =>
    address.includes("?")
      ? limited("asked", () => renderForEverybody(app, renderPage, address))
      : renderForEverybody(app, renderPage, address);
  /** By what searches find: the page of one of them, and the address of the last that asked. */
  const lastWith = new LRUCache<string, string>({ max: 2_000 });
  const shared = openPageCache({
    render: async (result) => render(lastWith.get(result) ?? ""),
    maxBytes: 16 * 1024 * 1024,
    compresses: false,
  });
  const cache = openPageCache({
    async render(address) {
      const search = searchAt(address);
      if (!search) return render(address);
      const found = await search.resultOf(app.db, search.typed, app.now());
      const result = `${search.path}?${found}`;
      lastWith.set(result, address);
      const page = await shared.get(result);
      return page && { html: withTyped(page.html.toString(), search), headers: page.headers };
    },
  });
  const find = async (asked: string) => {
    const { pathname, search } = new URL(`http://site${asked}`);
    const address = addresses.find(pathname, search);
    return address === null ? null : cache.get(address);
  };
  const expireHere = () => {
    shared.expire();
    cache.expire();
  };
  let others: Listening | undefined;
  let isStopping = false;
  return {
    async expire() {
      expireHere();
      await app.db.execute(sql`select pg_notify(${channel}, '')`);
    },
    follow() {
      others = listen(app.db, channel, { log: app.log, onNotice: expireHere });
    },
    async renderAll() {
      for (const address of addresses.fixed) {
        // What fails now is rendered when somebody asks for it.
        if (!isStopping) await cache.get(address).catch(() => {});
      }
    },
    async stop() {
      isStopping = true;
      await Promise.all([others?.stop(), cache.settle()]);
    },
    answerAtOnce(request) {
      // Most ask in the words that pages are kept under: nothing is parsed for them.
      const page = isForAnybody(request) ? cache.peek(request.address) : null;
      return page && pageAnswer(page, request);
    },
    async answer(request) {
      try {
        const page = isForAnybody(request) ? await find(request.address) : null;
        return page && pageAnswer(page, request);
      } catch (error) {
        if (error instanceof NotCacheable) return notCacheableAnswer(error, request);
        throw error;
      }
    },
  };
}

/** Whether no answer of the page before waits for this one reader (app/ui/toasts/flash.ts). */
function isForAnybody({ method, cookie }: PageRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return cookie === undefined || !/(?:^|;\s*)(?:__Host-)?flash=/.test(cookie);
}

/**
 * Null: a page for each reader.
 *
 * @throws NotCacheable when there is no such page, or it failed: what is kept of it may stand in
 */
async function renderForEverybody(
  app: App,
  renderPage: RenderPage,
  address: string,
): Promise<RenderedPage | null> {
  const nonce = randomBytes(16).toString("base64");
  const requestId = randomUUID();
  const request = new Request(app.config.appUrl + address, { headers: { accept: "text/html" } });
  const response = await renderPage(request, {
    requestId,
    nonce,
    clientAddress: "",
    failure: null,
  });
  const text = await response.text();
  if (!isForEverybody(response)) return null;
  const { html, ...sources } = noncesToHashes(inlineStyles(text, "build/client", nonce), nonce);
  const headers = new Headers(response.headers);
  securityHeaders(headers, {
    sources,
    requestId,
    config: app.config,
    development: false,
  });
  const ofOneAnswer = ["x-request-id", "cache-control", "content-length", "set-cookie"];
  for (const name of ofOneAnswer) headers.delete(name);
  const page = { html, headers: Object.fromEntries(headers) };
  if (response.status !== 200) throw new NotCacheable(response.status, page);
  return page;
}

function isForEverybody({ status, headers }: Response): boolean {
  // Whatever failed failed for everybody.
  if (status >= 500) return true;
  return (
    (status === 200 || status >= 400) &&
    !headers.has("set-cookie") &&
    (headers.get("content-type") ?? "").startsWith("text/html")
  );
}
