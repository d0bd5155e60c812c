import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import type { CandlesMessage, PriceMessage } from "#core/price.ts";
import { pricedAssets } from "#core/price.ts";
import { openApp } from "#server/open-app.ts";
import { openLog } from "#server/platform/log/log.ts";
import { startWeb } from "#server/web.ts";
import { startWorker } from "#server/worker.ts";
import { startFakeExchange } from "#tests/fakes/exchange.ts";
import { within } from "#tests/setup/slowness.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { builtPages } from "../../scripts/built-pages.ts";
import { listCandles } from "./candles/list-candles.ts";
import { findNetworkFigures } from "./find-network-figures.ts";
import { listPrices } from "./list-prices.ts";

const exchange = await startFakeExchange();
afterAll(() => exchange.stop());
const { app, db, owner, applicationUrl, request } = await testApp({
  ...exchange.env,
  PRICE_POLL_SECONDS: "60",
});

test("two workers on one database fill prices, candles and network figures, asking once", async () => {
  const other = openApp(app.config, openLog("silent"), applicationUrl);
  const workers = await Promise.all([startWorker(app), startWorker(other)]);
  try {
    const now = () => new Date();
    await expect.poll(async () => (await listPrices(db, now())).length).toBe(6);
    const days = async () => (await listCandles(db, "USDT", { days: 365, now: now() })).length;
    await expect.poll(days).toBe(366);
    await expect.poll(() => findNetworkFigures(db, now())).not.toBeNull();
    const of = (start: string) => exchange.asked.filter((path) => path.startsWith(start)).length;
    expect(of("/0/public/Ticker")).toBe(1);
    expect(of("/0/public/OHLC")).toBe(pricedAssets.length);
    expect(of("/api/blocks/tip/height")).toBe(1);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await other.db.$client.end();
  }
});

test("a worker waits for no exchange when it stops, and blames none", async () => {
  for (const venue of ["kraken", "coinbase", "bitstamp", "mempool"] as const) {
    exchange.set(venue, { hanging: true });
  }
  await owner.query("truncate market_rounds");
  exchange.asked.length = 0;
  const worker = await startWorker(app);
  await expect.poll(() => exchange.asked.length).toBeGreaterThan(12);
  const started = performance.now();
  await worker.stop();
  expect(performance.now() - started).toBeLessThan(within(4000));
  const { rows } = await owner.query(
    "select source from market_sources where state <> 'answering'",
  );
  expect(rows).toEqual([]);
  for (const venue of ["kraken", "coinbase", "bitstamp", "mempool"] as const) exchange.set(venue);
});

test("after a restart the last known prices stand at once, with their age, before anybody is asked", async () => {
  exchange.asked.length = 0;
  const web = await startWeb({ ...app, config: { ...app.config, port: 0 } }, await builtPages());
  try {
    const answer = await fetch(`http://127.0.0.1:${web.port}/events/prices`);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const prices = await firstEvent(answer);
    expect(prices.map(({ asset }) => asset)).toEqual([...pricedAssets]);
    expect(prices[0]).toMatchObject({ shown: "$91,234.50", simulated: false, fresh: true });
    expect(prices[0]?.ageMs).toBeGreaterThan(0);
    expect(exchange.asked).toEqual([]);
  } finally {
    await web.stop();
  }
});

test("a stopping web process ends its streams at once, also of those who vanished", async () => {
  const web = await startWeb({ ...app, config: { ...app.config, port: 0 } }, await builtPages());
  const url = `http://127.0.0.1:${web.port}/events/prices`;
  const streams = await Promise.all(Array.from({ length: 10 }, () => fetch(url)));
  const silent = connect(web.port, "127.0.0.1");
  silent.on("error", () => {});
  silent.pause();
  silent.write("GET /events/prices HTTP/1.1\r\nhost: x\r\n\r\n");
  const texts = streams.map((stream) => stream.text());
  const started = performance.now();
  await web.stop();
  expect(performance.now() - started).toBeLessThan(within(6000));
  expect((await Promise.all(texts)).every((text) => text.startsWith("retry: "))).toBe(true);
  silent.destroy();
});

test("HEAD opens no stream", async () => {
  const web = await startWeb({ ...app, config: { ...app.config, port: 0 } }, await builtPages());
  try {
    const answer = await fetch(`http://127.0.0.1:${web.port}/events/prices`, { method: "HEAD" });
    expect(answer.status).toBe(204);
  } finally {
    await web.stop();
  }
});

test("gives twelve months of candles for a chart, kept by browsers and caches for a moment", async () => {
  const answer = await request("/market/candles/BTC.json");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toContain("max-age=30");
  const { asset, simulated, candles } = (await answer.json()) as CandlesMessage;
  expect([asset, simulated, candles.length]).toEqual(["BTC", false, 366]);
  expect(candles.at(-2)).toMatchObject({ open: "91234.50000000", close: "91234.50000000" });
  expect((await request("/market/candles/BTC.json")).headers.get("etag")).toBe(
    answer.headers.get("etag"),
  );
});

test.each(["btc.json", "BTC", "LTC.json", "..%2fBTC.json", "BTC.json%00"])(
  "there are no candles called %s",
  async (file) => {
    expect((await request(`/market/candles/${file}`)).status).toBe(404);
  },
);

test.each([
  ["br;q=0, gzip", "gzip"],
  ["br;q=0", null],
  ["gzip;q=0, br", "br"],
])("to a reader who takes %j candles are sent as %j", async (accepted, expected) => {
  const headers = { "accept-encoding": accepted };
  const answer = await request("/market/candles/BTC.json", { headers });
  expect(answer.headers.get("content-encoding")).toBe(expected);
});

/** The first list of prices in a stream, which is left then. */
async function firstEvent(answer: Response): Promise<PriceMessage[]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk);
    const [, found] = /^event: prices\ndata: (.*)\n\n/m.exec(text) ?? [];
    if (found) return JSON.parse(found);
  }
  throw new Error("the stream ended without prices");
}
