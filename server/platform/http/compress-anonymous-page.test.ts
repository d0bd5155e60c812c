import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressAnonymousPage } from "./compress-anonymous-page.ts";

const html = "<p>The same words.</p>".repeat(100);
const page = (headers: Record<string, string> = {}) =>
  new Response(html, { headers: { "content-type": "text/html; charset=utf-8", ...headers } });
const ask = (headers: Record<string, string> = {}) =>
  new Request("http://127.0.0.1/login", { headers: { "accept-encoding": "gzip, br", ...headers } });

test("a stranger's page is compressed", async () => {
  const answer = await compressAnonymousPage(ask(), page());
  expect(answer.headers.get("content-encoding")).toBe("br");
  expect(answer.headers.get("vary")).toBe("Accept-Encoding");
  expect(brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(html);
});

test.each([
  ["of somebody who is signed in", ask({ cookie: "a=1; assay.session_token=x" }), page()],
  ["that signs somebody in", ask(), page({ "set-cookie": "assay.session_token=x" })],
  ["for a reader who takes none of it", ask({ "accept-encoding": "identity" }), page()],
  ["that is no page", ask(), page({ "content-type": "image/webp" })],
])("an answer %s is sent as it is", async (_, request, response) => {
  const answer = await compressAnonymousPage(request, response);
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await answer.text()).toBe(html);
});

test("while one page is being compressed, others are sent as they are", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => compressAnonymousPage(ask(), page())),
  );
  const encodings = answers.map(({ headers }) => headers.get("content-encoding"));
  expect(encodings.filter((encoding) => encoding === "br").length).toBeLessThan(20);
  expect(encodings).toContain("br");
  expect(encodings).toContain(null);
});
