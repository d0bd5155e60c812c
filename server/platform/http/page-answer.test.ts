import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { cachePage, compressPage } from "./cached-page.ts";
import { pageAnswer } from "./page-answer.ts";

const plain = cachePage(
  { html: "<p>Grüße</p>".repeat(50), headers: { "content-type": "text/html; charset=utf-8" } },
  undefined,
);
const page = await compressPage(plain, true);
const ask = (headers: { acceptEncoding?: string; ifNoneMatch?: string; method?: string }) =>
  pageAnswer(page, {
    method: "GET",
    requestId: "r",
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    ...headers,
  });

test.each([
  [undefined, null],
  ["", null],
  ["identity", null],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["GZIP;q=0.5, br;q=0", "gzip"],
  ["br;q=0, *", "gzip"],
  ["*", "br"],
  ["*;q=0", null],
  ["br;q=nonsense", null],
])("to a reader who takes %j it sends %j", (acceptEncoding, expected) => {
  const answer = ask({ ...(acceptEncoding !== undefined && { acceptEncoding }) });
  expect(answer.headers["content-encoding"] ?? null).toBe(expected);
  expect(answer.headers["vary"]).toBe("Accept-Encoding");
  const bytes = answer.body ?? Buffer.alloc(0);
  expect(answer.headers["content-length"]).toBe(String(bytes.length));
  const plain =
    expected === "br"
      ? brotliDecompressSync(bytes)
      : expected === "gzip"
        ? gunzipSync(bytes)
        : bytes;
  expect(plain).toEqual(page.html);
});

test("answers HEAD with the headers alone", () => {
  const answer = ask({ method: "HEAD", acceptEncoding: "br" });
  expect(answer.status).toBe(200);
  expect(answer.headers["content-length"]).toBe(String(page.compressed?.brotli.length));
  expect(answer.body).toBeNull();
});

describe("a reader who has the page", () => {
  test.each([page.etag, page.etag.replace("W/", ""), `"other", ${page.etag}`, "*"])(
    "and says %s is told so",
    (ifNoneMatch) => {
      const answer = ask({ ifNoneMatch });
      expect(answer.status).toBe(304);
      expect(answer.headers["etag"]).toBe(page.etag);
      expect(answer.body).toBeNull();
    },
  );

  test("in an older form gets the new one", () => {
    expect(ask({ ifNoneMatch: 'W/"old"' }).status).toBe(200);
  });
});

test("browsers ask again each time", () => {
  expect(ask({}).headers["cache-control"]).toBe("no-cache");
});

test("a page that came out the same keeps its bytes, one whose policy changed does not", async () => {
  const rendered = { html: page.html.toString(), headers: { ...page.headers } };
  expect(cachePage(rendered, page)).toBe(page);
  const other = cachePage(
    { ...rendered, headers: { ...rendered.headers, "content-security-policy": "x" } },
    page,
  );
  expect(other.etag).not.toBe(page.etag);
});

test("sends a page that is not compressed yet as it is, whatever its reader takes", () => {
  const answer = pageAnswer(plain, {
    method: "GET",
    requestId: "r",
    acceptEncoding: "gzip, br",
    ifNoneMatch: undefined,
  });
  expect(answer.headers["content-encoding"]).toBeUndefined();
  expect(answer.body).toEqual(plain.html);
});
