import type { KeptPage } from "./kept-page.ts";

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
  status: 200 | 304;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** The answer to one request for a kept page: in the form that its reader takes, or none when he has it. */
export function pageAnswer(
  page: KeptPage,
  request: Pick<PageRequest, "method" | "requestId" | "acceptEncoding" | "ifNoneMatch">,
): PageAnswer {
  const headers: Record<string, string> = {
    ...page.headers,
    "x-request-id": request.requestId,
    etag: page.etag,
    vary: "Accept-Encoding",
    // Kept by the reader, but asked for each time: an answer without a body when nothing has changed.
    "cache-control": "no-cache",
  };
  if (isKnown(page.etag, request.ifNoneMatch)) return { status: 304, headers, body: null };
  const encoding = preferredEncoding(request.acceptEncoding);
  const body = encoding === "identity" ? page.html : encoding === "br" ? page.brotli : page.gzip;
  if (encoding !== "identity") headers["content-encoding"] = encoding;
  headers["content-length"] = String(body.length);
  return { status: 200, headers, body: request.method === "HEAD" ? null : body };
}

function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  // Compared weakly (RFC 9110, 13.1.2): a proxy may have made it strong, or ours is weak already.
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => bare(tag) === bare(etag));
}

type Encoding = "br" | "gzip" | "identity";

/** The smallest form that the reader takes. A form refused by `q=0` is not sent (RFC 9110, 12.5.3). */
export function preferredEncoding(accepted: string | undefined): Encoding {
  if (!accepted) return "identity";
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
