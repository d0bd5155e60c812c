import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { preferredEncoding } from "./page-answer.ts";

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/**
 * Compresses a page that is not kept, for somebody who is not signed in. Pages with somebody's money in them
 * are sent as they are: beside what a stranger can put into an address, the length of a compressed page would
 * tell what else is in it.
 */
export async function compressForStrangers(
  request: Request,
  response: Response,
): Promise<Response> {
  const encoding = preferredEncoding(request.headers.get("accept-encoding") ?? undefined);
  if (encoding === "identity" || !isStrangersPage(request, response)) return response;
  const plain = Buffer.from(await response.arrayBuffer());
  const body = await (encoding === "br"
    ? brotliOf(plain, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } })
    : gzipOf(plain));
  const headers = new Headers(response.headers);
  headers.set("content-encoding", encoding);
  headers.append("vary", "Accept-Encoding");
  headers.set("content-length", String(body.length));
  return new Response(body as Uint8Array<ArrayBuffer>, { status: response.status, headers });
}

/** Whether it has a body is asked last: to know it the server makes a stream of the page's text. */
function isStrangersPage(request: Request, response: Response): boolean {
  const { headers } = response;
  if (request.method !== "GET") return false;
  if ((request.headers.get("cookie") ?? "").includes("session")) return false;
  if (!(headers.get("content-type") ?? "").startsWith("text/html")) return false;
  if (headers.has("set-cookie") || headers.has("content-encoding")) return false;
  return response.body !== null;
}
