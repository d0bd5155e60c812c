import type { CachedPage, NotCacheable } from "./cached-page.ts";

export interface PageRequest {
  method: string;
  /** Path and query, as they were sent. */
  address: string;
  requestId: string;
  cookie: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
}

export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** The answer to one request for a cached page: in the form that its reader takes, or none when they have it. */
export function pageAnswer(
  page: CachedPage,
  request: Pick<PageRequest, "method" | "requestId" | "acceptEncoding" | "ifNoneMatch">,
): PageAnswer {
  const own = { "x-request-id": request.requestId };
  const forms = formsOf(page);
  if (isKnown(page.etag, request.ifNoneMatch)) {
    return { status: 304, headers: { ...forms.headers, ...own }, body: null };
  }
  const { headers, body } = forms[preferredEncoding(request.acceptEncoding)];
  const sent = request.method === "HEAD" ? null : body;
  return { status: 200, headers: { ...headers, ...own }, body: sent };
}

/** The same for a page that is not kept: whoever asks again is answered anew. */
export function notCacheableAnswer(
  { status, page }: NotCacheable,
  { method, requestId }: Pick<PageRequest, "method" | "requestId">,
): PageAnswer {
  const body = Buffer.from(page.html);
  const headers = {
    ...page.headers,
    "cache-control": "private, no-store",
    "content-length": String(body.length),
    "x-request-id": requestId,
  };
  return { status, headers, body: method === "HEAD" ? null : body };
}

interface Form {
  headers: Record<string, string>;
  body: Buffer;
}

interface Forms extends Record<Encoding, Form> {
  /** Of an answer without a body. */
  headers: Record<string, string>;
}

/** What is the same in all answers with a page: put together once, and gone with it. */
const ready = new WeakMap<CachedPage, Forms>();

function formsOf(page: CachedPage): Forms {
  const known = ready.get(page);
  if (known) return known;
  const headers = {
    ...page.headers,
    etag: page.etag,
    vary: "Accept-Encoding",
    // Kept by the reader, but asked for each time: an answer without a body when nothing has changed.
    "cache-control": "no-cache",
  };
  const form = (body: Buffer, encoding: Record<string, string>) => ({
    headers: { ...headers, ...encoding, "content-length": String(body.length) },
    body,
  });
  const identity = form(page.html, {});
  const { brotli, gzip } = page.compressed ?? {};
  const forms = {
    headers,
    identity,
    br: brotli ? form(brotli, { "content-encoding": "br" }) : identity,
    gzip: gzip ? form(gzip, { "content-encoding": "gzip" }) : identity,
  };
  ready.set(page, forms);
  return forms;
}

function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  // Compared weakly (RFC 9110, 13.1.2): a proxy may have made it strong, or ours is weak already.
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => bare(tag) === bare(etag));
}

type Encoding = "br" | "gzip" | "identity";

/** What browsers ask for are a handful of texts; from others no more are kept. */
const asked = new Map<string, Encoding>();
const mostAsked = 100;

/** The smallest form that the reader takes. A form refused by `q=0` is not sent (RFC 9110, 12.5.3). */
export function preferredEncoding(accepted: string | undefined): Encoding {
  if (!accepted) return "identity";
  const known = asked.get(accepted);
  if (known) return known;
  const encoding = readEncoding(accepted);
  if (asked.size < mostAsked && accepted.length < 100) asked.set(accepted, encoding);
  return encoding;
}

function readEncoding(accepted: string): Encoding {
  const qualities = new Map(accepted.toLowerCase().split(",").map(quality));
  const takes = (name: string) => (qualities.get(name) ?? qualities.get("*") ?? 0) > 0;
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : "identity";
}

function quality(part: string): [string, number] {
  const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
  const q = parameters.find((each) => each.startsWith("q="));
  return [name, q === undefined ? 1 : Number(q.slice(2)) || 0];
}
