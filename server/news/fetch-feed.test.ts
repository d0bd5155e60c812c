import { createServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import {
  drip,
  hang,
  packedBomb,
  pourForEver,
  rss,
  rssItem,
  startFeedServer,
} from "#tests/fakes/feed-server.ts";
import { freePort } from "#tests/setup/free-port.ts";
import { within } from "#tests/setup/slowness.ts";
import { type FeedRequest, fetchFeed } from "./fetch-feed.ts";
import { readLimits } from "./news.ts";

const feeds = await startFeedServer();
afterAll(() => feeds.stop());

const fetchPath = (path: string, wanted: Partial<FeedRequest> = {}) =>
  fetchFeed({
    url: feeds.url + path,
    etag: null,
    lastModified: null,
    allowLoopback: true,
    ...wanted,
  });

const hurried = { limits: { ...readLimits, timeoutMs: 300 } };

test("brings the bytes, where they stood, and what to ask with next time", async () => {
  const headers = { etag: '"v1"', "last-modified": "Sat, 21 Nov 2026 10:00:00 GMT" };
  feeds.serve("/good", { body: rss(), headers: { ...headers, "content-type": "text/xml" } });
  expect(await fetchPath("/good")).toMatchObject({
    unchanged: false,
    url: `${feeds.url}/good`,
    contentType: "text/xml",
    etag: '"v1"',
    lastModified: headers["last-modified"],
  });
});

test("asks with what it was told, and takes an unchanged feed as that", async () => {
  feeds.serve("/same", {
    misbehave(request, response) {
      response.writeHead(request.headers["if-none-match"] === '"v1"' ? 304 : 200).end(rss());
    },
  });
  const lastModified = "Sat, 21 Nov 2026 10:00:00 GMT";
  expect(await fetchPath("/same", { etag: '"v1"', lastModified })).toEqual({ unchanged: true });
  expect(feeds.requests.at(-1)?.headers).toMatchObject({
    "if-none-match": '"v1"',
    "if-modified-since": lastModified,
  });
  expect(feeds.requests.at(-1)?.headers).not.toHaveProperty("cookie");
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
])("unpacks %s", async (encoding, pack) => {
  const text = rss(rssItem({}));
  feeds.serve("/packed", { body: pack(text), headers: { "content-encoding": encoding } });
  const fetched = await fetchPath("/packed");
  expect(!fetched.unchanged && fetched.bytes.toString()).toBe(text);
});

test("who never answers, or a byte at a time, is given up in time", async () => {
  feeds.serve("/hang", { misbehave: hang });
  feeds.serve("/drip", { misbehave: drip });
  for (const path of ["/hang", "/drip"]) {
    const started = performance.now();
    await expect(fetchPath(path, hurried)).rejects.toMatchObject({ reason: "timed-out" });
    expect(performance.now() - started).toBeLessThan(within(3_000));
  }
});

test("what is huge is never held in memory: announced, unannounced or packed", async () => {
  feeds.serve("/announced", {
    misbehave: (_, answer) => void answer.writeHead(200, { "content-length": 10 ** 12 }).write("<"),
  });
  feeds.serve("/endless", { misbehave: pourForEver });
  feeds.serve("/bomb", packedBomb());
  await nextTurn();
  const before = process.memoryUsage.rss();
  for (const path of ["/announced", "/endless", "/bomb"]) {
    await expect(fetchPath(path)).rejects.toMatchObject({ reason: "too-large" });
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
});

test("a few redirects are followed, a ring is not", async () => {
  const to = (location: string) => ({ status: 302, headers: { location } });
  feeds.serve("/one", to("/two"));
  feeds.serve("/two", to(`${feeds.url}/three`));
  feeds.serve("/three", { body: "<rss/>" });
  expect(await fetchPath("/one")).toMatchObject({ url: `${feeds.url}/three` });
  feeds.serve("/ring", to("/ring"));
  await expect(fetchPath("/ring")).rejects.toMatchObject({ reason: "too-many-redirects" });
  feeds.serve("/nowhere", { status: 302 });
  await expect(fetchPath("/nowhere")).rejects.toMatchObject({ reason: "unexpected-answer" });
});

test.each([
  ["https://10.0.0.1/feed", "address-not-allowed"],
  ["https://169.254.169.254/latest", "address-not-allowed"],
  ["https://[::1]/feed", "address-not-allowed"],
  ["https://localhost/feed", "address-not-allowed"],
  ["http://news.example.com/feed", "not-https"],
  ["file:///etc/passwd", "not-https"],
  ["gopher://127.0.0.1:6379/_FLUSHALL", "not-https"],
])("a redirect to %s leads nowhere", async (location, reason) => {
  feeds.serve("/away", { status: 301, headers: { location } });
  await expect(fetchPath("/away")).rejects.toMatchObject({ reason });
});

test("a name that leads to this machine is refused, whatever it said before", async () => {
  const resolve: FeedRequest["resolve"] = (_name, _options, done) =>
    done(null, [{ address: "127.0.0.1", family: 4 }]);
  const url = "https://news.example.com/feed";
  await expect(fetchPath("", { url, resolve })).rejects.toMatchObject({
    reason: "address-not-allowed",
  });
  feeds.serve("/rebind", { status: 302, headers: { location: url } });
  await expect(fetchPath("/rebind", { resolve })).rejects.toMatchObject({
    reason: "address-not-allowed",
  });
});

test("without the allowance not even the first byte goes to this machine", async () => {
  const before = feeds.requests.length;
  await expect(fetchPath("/good", { allowLoopback: false })).rejects.toMatchObject({
    reason: "not-https",
  });
  expect(feeds.requests.length).toBe(before);
});

test.each([
  [404, "not-found"],
  [410, "gone"],
  [403, "refused"],
  [429, "too-often"],
  [503, "server-failed"],
  [204, "unexpected-answer"],
])("the status %i is told as %s", async (status, reason) => {
  feeds.serve("/status", { status, headers: { "retry-after": "7200" } });
  await expect(fetchPath("/status")).rejects.toMatchObject({
    reason,
    retryAfterMs: status === 429 || status === 503 ? 7_200_000 : undefined,
  });
});

test("an answer that is no HTTP, packed wrongly, cut off, of another protocol, or not there at all is a failure like any other", async () => {
  const rubbish = createServer((socket) =>
    socket
      .on("error", () => {})
      .resume()
      .end("SSH-2.0-OpenSSH\r\n"),
  );
  await new Promise<void>((resolve) => rubbish.listen(0, "127.0.0.1", resolve));
  const { port } = rubbish.address() as { port: number };
  const url = `http://127.0.0.1:${port}/`;
  await expect(fetchPath("", { url })).rejects.toMatchObject({ reason: "unexpected-answer" });
  await new Promise((resolve) => rubbish.close(resolve));
  feeds.serve("/wrong", { body: "not packed", headers: { "content-encoding": "gzip" } });
  await expect(fetchPath("/wrong")).rejects.toMatchObject({ reason: "unexpected-answer" });
  feeds.serve("/odd", { body: "x", headers: { "content-encoding": "compress" } });
  await expect(fetchPath("/odd")).rejects.toMatchObject({ reason: "unexpected-answer" });
  feeds.serve("/cut", {
    misbehave: (_, answer) =>
      void answer.writeHead(200, { "content-length": 100 }).write("x", () => answer.destroy()),
  });
  await expect(fetchPath("/cut")).rejects.toMatchObject({ reason: "unreachable" });
  feeds.serve("/switching", {
    misbehave: ({ socket }) =>
      void socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
      ),
  });
  await expect(fetchPath("/switching")).rejects.toMatchObject({ reason: "unexpected-answer" });
  const nobody = `http://127.0.0.1:${await freePort()}/`;
  await expect(fetchPath("", { url: nobody })).rejects.toMatchObject({ reason: "unreachable" });
});
