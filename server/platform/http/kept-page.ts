import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";

/** What a page is before it is kept. */
export interface RenderedPage {
  html: string;
  headers: Record<string, string>;
}

/** A page as it is given to anybody who asks for it, in every form that a reader may take. */
export interface KeptPage {
  html: Buffer;
  brotli: Buffer;
  gzip: Buffer;
  /** Of all three together. */
  bytes: number;
  etag: string;
  headers: Record<string, string>;
}

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** Compresses once, off the main thread; a page that came out the same as before keeps its bytes. */
export async function compressPage(
  { html, headers }: RenderedPage,
  before: KeptPage | undefined,
): Promise<KeptPage> {
  const hash = createHash("sha256").update(JSON.stringify(headers)).update(html);
  // Weak: the same for all its forms.
  const etag = `W/"${hash.digest("base64url").slice(0, 27)}"`;
  if (before?.etag === etag) return before;
  const plain = Buffer.from(html);
  const [brotli, gzipped] = await Promise.all([
    brotliOf(plain, { params: carefully(plain.length) }),
    gzipOf(plain, { level: 7 }),
  ]);
  const bytes = plain.length + brotli.length + gzipped.length;
  return { html: plain, brotli, gzip: gzipped, bytes, etag, headers };
}

/** A tenth smaller than what is usual, for 60 ms beside the main thread: a page is compressed once for all its readers. */
function carefully(bytes: number): Record<number, number> {
  return { [zlib.BROTLI_PARAM_QUALITY]: 10, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes };
}
