import { compressBody, isCompressing } from "./compress-body.ts";
import { preferredEncoding } from "./page-answer.ts";

/**
 * Compresses a page that is not kept, for somebody who is not signed in. Pages with somebody's money in them
 * are sent as they are: beside what a stranger can put into an address, the length of a compressed page would
 * tell what else is in it. While another page is being compressed this one is sent as it is.
 */
export async function compressAnonymousPage(
  request: Request,
  response: Response,
): Promise<Response> {
  const encoding = preferredEncoding(request.headers.get("accept-encoding") ?? undefined);
  if (encoding === "identity" || !isStrangersPage(request, response)) return response;
  const plain = Buffer.from(await response.arrayBuffer());
  if (isCompressing()) return new Response(plain, response);
  const body = await compressBody(encoding, plain);
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
