import { createHash } from "node:crypto";
import { compressBody } from "./compress-body.ts";

/** What a page is before it is kept. */
export interface RenderedPage {
  html: string;
  headers: Record<string, string>;
}

/** An answer for everybody that is not kept: there is no such page (404), or it failed just now (5xx). */
export class NotCacheable extends Error {
  override name = "NotCacheable";
  readonly status: number;
  readonly page: RenderedPage;

  constructor(status: number, page: RenderedPage) {
    super(`the page was answered with ${status}`);
    this.status = status;
    this.page = page;
  }
}

/** A page as it is given to anybody who asks for it, in every form that a reader may take. */
export interface CachedPage {
  html: Buffer;
  /** Null until it has been asked for twice: most addresses that somebody makes up are asked for once. */
  compressed: { brotli: Buffer; gzip: Buffer } | null;
  /** Of all forms together. */
  bytes: number;
  etag: string;
  headers: Record<string, string>;
}

/** The page as it is kept at first; one that came out the same as before keeps its bytes, and its compressed forms. */
export function cachePage(
  { html, headers }: RenderedPage,
  before: CachedPage | undefined,
): CachedPage {
  const hash = createHash("sha256").update(JSON.stringify(headers)).update(html);
  // Weak: the same for all its forms.
  const etag = `W/"${hash.digest("base64url").slice(0, 27)}"`;
  if (before?.etag === etag) return before;
  const plain = Buffer.from(html);
  return { html: plain, compressed: null, bytes: plain.length, etag, headers };
}

/** The same page with its compressed forms: `thorough` for the pages whose addresses we wrote. */
export async function compressPage(page: CachedPage, thorough: boolean): Promise<CachedPage> {
  if (page.compressed) return page;
  const { html } = page;
  const brotli = await compressBody("br", html, { thorough });
  const gzip = await compressBody("gzip", html, { thorough });
  const bytes = html.length + brotli.length + gzip.length;
  return { ...page, compressed: { brotli, gzip }, bytes };
}
