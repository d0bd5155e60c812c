import { EventEmitter } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import type { PriceMessage } from "#core/price.ts";
import { openLog } from "#server/platform/log/log.ts";
import { createTestPrice, forgetPrices } from "#tests/factories/market.ts";
import { startTcpProxy } from "#tests/fakes/tcp-proxy.ts";
import { within } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { openDatabase } from "../platform/database.ts";
import { listPrices } from "./list-prices.ts";
import { type FeedLimits, openPriceFeed, type PriceFeed } from "./price-feed.ts";
import { priceChannel } from "./record-round.ts";

const { db, owner, applicationUrl } = await testDatabase();
const ends: Array<() => Promise<unknown>> = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const limits: FeedLimits = {
  clients: 1000,
  clientsOfANetwork: 1000,
  heartbeatMs: 100,
  stuckMs: 300,
  streamMs: 60_000,
};

interface Feed {
  feed: PriceFeed;
  url: string;
  /** How many queries it made. */
  queries(): number;
  lines: string[];
}

async function startFeed(
  overrides: Partial<FeedLimits> = {},
  options: { now?: () => Date; throughUrl?: string } = {},
): Promise<Feed> {
  const lines: string[] = [];
  const log = openLog("info", { write: (line) => void lines.push(line) });
  const own = openDatabase(options.throughUrl ?? applicationUrl, openLog("silent"), {
    connections: 2,
  });
  const query = vi.spyOn(own.$client, "query");
  const now = options.now ?? (() => new Date());
  const feed = openPriceFeed({ db: own, log, now }, { ...limits, ...overrides });
  const server: Server = createServer((request, response) => {
    const joined = feed.join(response, String(request.headers["x-place"] ?? "here"));
    if (joined !== "joined") response.writeHead(429).end(joined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  ends.push(async () => {
    await feed.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await own.$client.end();
  });
  return { feed, url: `http://127.0.0.1:${port}/`, queries: () => query.mock.calls.length, lines };
}

/** A browser: collects what it is sent. */
async function join(url: string, place = "here") {
  const leaving = new AbortController();
  const answer = await fetch(url, { headers: { "x-place": place }, signal: leaving.signal });
  const seen = { text: "", ended: false };
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) seen.text += decoder.decode(chunk);
  })()
    .catch(() => {})
    .finally(() => {
      seen.ended = true;
    });
  const events = () =>
    [...seen.text.matchAll(/^event: prices\ndata: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data ?? "[]") as PriceMessage[],
    );
  return {
    status: answer.status,
    headers: answer.headers,
    seen,
    events,
    lastUsd: () =>
      events()
        .at(-1)
        ?.find(({ asset }) => asset === "BTC")?.usd,
    async leave() {
      leaving.abort();
      await reading;
    },
  };
}

/** A price as a worker records it, seconds ago. */
let agoSeconds = 500;
async function change(usdE8: bigint): Promise<void> {
  agoSeconds -= 1;
  const observedAt = new Date(Date.now() - agoSeconds * 1000);
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt });
  await owner.query("select pg_notify($1, '')", [priceChannel]);
}
const usd = (dollars: number) => BigInt(dollars) * 100_000_000n;

test("of streams behind each other on one connection only the first is sent, and none is left when it is closed", async () => {
  const { feed, url } = await startFeed();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(5));
  await new Promise((resolve) => socket.once("data", resolve));
  expect(feed.clientCount()).toBe(1);
  socket.destroy();
  await expect.poll(() => feed.clientCount()).toBe(0);
});

test("sends the prices at once, and again when they change", async () => {
  await change(usd(90_000));
  const { url } = await startFeed();
  const browser = await join(url);
  expect(browser.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  await expect.poll(browser.lastUsd).toBe("90000.00000000");
  expect(browser.events().at(-1)?.[0]).toMatchObject({
    shown: "$90,000.00",
    sources: 2,
    agreed: ["coinbase", "kraken"],
    fresh: true,
  });
  await change(usd(90_001));
  await expect.poll(browser.lastUsd).toBe("90001.00000000");
  await browser.leave();
});

test("a change costs one query, however many browsers look on", async () => {
  const { url, queries, feed } = await startFeed();
  const browsers = await Promise.all(
    Array.from({ length: 300 }, (_, i) => join(url, `place ${i}`)),
  );
  await expect.poll(() => browsers.every(({ lastUsd }) => lastUsd() !== undefined)).toBe(true);
  expect(feed.clientCount()).toBe(300);
  // One for the first of them, and one when the listening began.
  expect(queries()).toBeLessThanOrEqual(3);
  const before = queries();
  await change(usd(90_002));
  const all = () => browsers.every(({ lastUsd }) => lastUsd() === "90002.00000000");
  await expect.poll(all).toBe(true);
  expect(queries() - before).toBe(1);
  await Promise.all(browsers.map((browser) => browser.leave()));
  await expect.poll(() => feed.clientCount()).toBe(0);
});

test("several web processes hear of the same change", async () => {
  const feeds = await Promise.all([startFeed(), startFeed(), startFeed()]);
  const browsers = await Promise.all(feeds.map(({ url }) => join(url)));
  await expect.poll(() => browsers.every(({ lastUsd }) => lastUsd() !== undefined)).toBe(true);
  await change(usd(90_003));
  await expect
    .poll(() => browsers.map(({ lastUsd }) => lastUsd()))
    .toEqual(Array.from({ length: 3 }, () => "90003.00000000"));
  await Promise.all(browsers.map((browser) => browser.leave()));
});

test("hears of changes again after the connection to the database was lost, and says each once", async () => {
  const at = new URL(applicationUrl);
  const line = await startTcpProxy({ host: at.hostname, port: Number(at.port) });
  ends.push(() => line.stop());
  at.port = String(line.port);
  const { url, lines } = await startFeed({}, { throughUrl: at.toString() });
  const browser = await join(url);
  await expect.poll(browser.lastUsd).toBe("90003.00000000");
  line.set("cut");
  await change(usd(90_004));
  await new Promise((resolve) => setTimeout(resolve, 1200));
  line.set("open");
  await expect.poll(browser.lastUsd).toBe("90004.00000000");
  await change(usd(90_005));
  await expect.poll(browser.lastUsd).toBe("90005.00000000");
  const said = lines.map((text) => JSON.parse(text).msg);
  expect(said).toEqual(["not listening to the database", "listening to the database again"]);
  await browser.leave();
});

/** A connection whose other end takes nothing until it is told to. */
class StuckStream extends EventEmitter {
  written: string[] = [];
  takes = true;
  destroyed = false;
  writeHead(): void {}
  write(chunk: Buffer | string): boolean {
    this.written.push(String(chunk));
    return this.takes;
  }
  end(): void {}
  destroy(): void {
    this.destroyed = true;
  }
}

test("a browser that takes nothing is sent nothing more, and is let go", async () => {
  const { url, feed } = await startFeed({ heartbeatMs: 20, stuckMs: 1_500 });
  const browser = await join(url);
  const stuck = new StuckStream();
  stuck.takes = false;
  feed.join(stuck as unknown as ServerResponse, "stuck");
  await change(usd(90_006));
  await expect.poll(browser.lastUsd).toBe("90006.00000000");
  const written = stuck.written.length;
  await change(usd(90_007));
  await expect.poll(browser.lastUsd).toBe("90007.00000000");
  expect(stuck.written.length).toBe(written);
  expect(stuck.destroyed).toBe(false);
  await expect.poll(() => feed.clientCount()).toBe(1);
  expect(stuck.destroyed).toBe(true);
  await browser.leave();
});

test("a browser that is slow gets the newest prices when it is ready, and none of those between", async () => {
  const { url, feed } = await startFeed({ heartbeatMs: 50, stuckMs: 60_000 });
  const browser = await join(url);
  await expect.poll(browser.lastUsd).toBeDefined();
  const slow = new StuckStream();
  feed.join(slow as unknown as ServerResponse, "slow");
  slow.takes = false;
  for (const dollars of [90_008, 90_009, 90_010]) {
    await change(usd(dollars));
    await expect.poll(browser.lastUsd).toBe(`${dollars}.00000000`);
  }
  slow.takes = true;
  slow.emit("drain");
  expect(slow.written.at(-1)).toContain("90010.00000000");
  expect(slow.written.join("")).not.toContain("90009.00000000");
  await browser.leave();
});

test("of one address only so many streams are open, and a place becomes free when one leaves", async () => {
  const { url, feed } = await startFeed({ clientsOfANetwork: 2, clients: 3 });
  const first = await join(url, "office");
  const second = await join(url, "office");
  expect((await join(url, "office")).status).toBe(429);
  const elsewhere = await join(url, "home");
  expect(elsewhere.status).toBe(200);
  expect((await join(url, "somewhere else")).status).toBe(429);
  await first.leave();
  await expect.poll(() => feed.clientCount()).toBe(2);
  const again = await join(url, "office");
  expect(again.status).toBe(200);
  for (const browser of [second, elsewhere, again]) await browser.leave();
});

test("says that a price has become too old, though nothing happened", async () => {
  let now = new Date();
  const { url } = await startFeed({ heartbeatMs: 30 }, { now: () => now });
  const browser = await join(url);
  await expect.poll(() => browser.events().at(-1)?.[0]?.fresh).toBe(true);
  now = new Date(Date.now() + 3_600_000);
  await expect.poll(() => browser.events().at(-1)?.[0]?.fresh).toBe(false);
  expect(browser.events().at(-1)?.[0]?.ageMs).toBeGreaterThan(3_000_000);
  await browser.leave();
});

test("ends a stream after its time, so that the browser comes again", async () => {
  const { url, feed } = await startFeed({ heartbeatMs: 30, streamMs: 100 });
  const browser = await join(url);
  expect(browser.status).toBe(200);
  await expect.poll(() => browser.seen.ended).toBe(true);
  expect(feed.clientCount()).toBe(0);
  expect(browser.seen.text).toContain("retry: 5000");
});

test("ends all streams at once when it stops, and takes no new ones", async () => {
  const { url, feed } = await startFeed();
  const browsers = await Promise.all(Array.from({ length: 20 }, () => join(url)));
  const started = performance.now();
  await feed.stop();
  expect(performance.now() - started).toBeLessThan(within(2000));
  await expect.poll(() => browsers.every(({ seen }) => seen.ended)).toBe(true);
  expect((await join(url)).status).toBe(429);
});

test("sends an empty list while there is no price yet", async () => {
  await forgetPrices(owner);
  const { url } = await startFeed();
  const browser = await join(url);
  await expect.poll(() => browser.events()).toContainEqual([]);
  expect(await listPrices(db, new Date())).toEqual([]);
  await browser.leave();
});
