import { afterAll, beforeEach, expect, test } from "vitest";
import { pricedAssets } from "#core/price.ts";
import { testMarket } from "#tests/factories/market.ts";
import { startFakeExchange } from "#tests/fakes/exchange.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { askForPrices } from "../poll-prices.ts";
import { listCandles } from "./list-candles.ts";
import { askForCandles, repairCandles } from "./repair-candles.ts";

const { db, owner } = await testDatabase();
const exchange = await startFakeExchange();
afterAll(() => exchange.stop());
const market = testMarket(db, exchange);
const noon = new Date("2025-03-01T12:00:00Z");
const venues = ["kraken", "coinbase", "bitstamp"] as const;

async function repair(at: Date, context = market): Promise<void> {
  exchange.setNow(() => at);
  await askForCandles(context, at);
}
const candles = (at: Date) => listCandles(db, "BTC", { days: 365, now: at });

beforeEach(async () => {
  for (const venue of venues) exchange.set(venue);
  await owner.query("truncate market_candles, market_sources, market_rounds");
  exchange.asked.length = 0;
  market.lines.length = 0;
});

test("fetches twelve months of every asset at the first start, and hardly anything an hour later", async () => {
  await repair(noon);
  for (const asset of pricedAssets) {
    const days = await listCandles(db, asset, { days: 365, now: noon });
    expect(days).toHaveLength(366);
    expect(days[0]?.day).toBe("2024-03-01");
    expect(days.at(-1)).toMatchObject({ day: "2025-03-01", isFinal: false });
    expect(days.at(-2)).toMatchObject({
      isFinal: true,
      sources: ["bitstamp", "coinbase", "kraken"],
    });
  }
  exchange.asked.length = 0;
  await repair(new Date("2025-03-01T13:00:00Z"));
  // Today alone, of each exchange and asset.
  expect(exchange.asked).toHaveLength(18);
  const since = exchange.asked.filter(
    (path) => path.includes("bitstamp") || path.includes("start="),
  );
  expect(since.every((path) => /start=(2025-03-01|1740787200)/.test(path))).toBe(true);
});

test("takes the median of each figure, without an exchange that is far off", async () => {
  exchange.setDay(
    "BTC",
    "2025-02-27",
    { open: "100", high: "110", low: "95", close: "105" },
    "kraken",
  );
  exchange.setDay(
    "BTC",
    "2025-02-27",
    { open: "101", high: "112", low: "96", close: "105.5" },
    "coinbase",
  );
  exchange.setDay(
    "BTC",
    "2025-02-27",
    { open: "1", high: "900", low: "1", close: "500" },
    "bitstamp",
  );
  await repair(noon);
  expect((await candles(noon)).find(({ day }) => day === "2025-02-27")).toMatchObject({
    openUsdE8: 100_5000_0000n,
    highUsdE8: 111_0000_0000n,
    lowUsdE8: 95_5000_0000n,
    closeUsdE8: 105_2500_0000n,
    sources: ["coinbase", "kraken"],
  });
});

test("leaves a day out that too few know or that they contradict each other about, and fills it in later", async () => {
  for (const venue of ["kraken", "bitstamp"] as const)
    exchange.setDay("BTC", "2025-01-10", null, venue);
  exchange.set("bitstamp", { down: true });
  const two = { open: "100", high: "100", low: "100", close: "100" };
  const other = { open: "120", high: "120", low: "120", close: "120" };
  exchange.setDay("BTC", "2025-01-11", two, "kraken");
  exchange.setDay("BTC", "2025-01-11", other, "coinbase");
  await repair(noon);
  const days = (await candles(noon)).map(({ day }) => day);
  expect(days).not.toContain("2025-01-10");
  expect(days).not.toContain("2025-01-11");
  expect(days).toContain("2025-01-12");
  exchange.set("bitstamp");
  exchange.setDay("BTC", "2025-01-10", two, "bitstamp");
  exchange.setDay("BTC", "2025-01-10", two, "kraken");
  exchange.setDay("BTC", "2025-01-11", two, "bitstamp");
  const later = new Date("2025-03-01T13:00:00Z");
  await repair(later);
  const filled = await candles(later);
  expect(filled.find(({ day }) => day === "2025-01-10")?.sources).toHaveLength(2);
  expect(filled.find(({ day }) => day === "2025-01-11")?.sources).toEqual(["bitstamp", "kraken"]);
});

test("repairs the gap of days without internet, and leaves final days as they are", async () => {
  await repair(noon);
  for (const venue of venues) exchange.set(venue, { down: true });
  for (const day of [2, 3, 4]) await repair(new Date(`2025-03-0${day}T12:00:00Z`));
  const back = new Date("2025-03-05T12:00:00Z");
  expect((await candles(back)).at(-1)?.day).toBe("2025-03-01");
  for (const venue of venues) exchange.set(venue);
  exchange.setDay("BTC", "2025-02-20", { open: "1", high: "1", low: "1", close: "1" });
  await repair(new Date(back.getTime() + 600_000));
  const days = await candles(back);
  expect(days.map(({ day }) => day).slice(-5)).toEqual(
    [1, 2, 3, 4, 5].map((day) => `2025-03-0${day}`),
  );
  expect(days.find(({ day }) => day === "2025-02-20")?.closeUsdE8).toBe(91_234_5000_0000n);
});

test("a day is final only some minutes after it is over", async () => {
  const midnight = new Date("2025-03-02T00:01:00Z");
  await repair(midnight);
  expect((await candles(midnight)).find(({ day }) => day === "2025-03-01")?.isFinal).toBe(false);
  const later = new Date("2025-03-02T00:07:00Z");
  await repair(later);
  expect((await candles(later)).find(({ day }) => day === "2025-03-01")?.isFinal).toBe(true);
});

test("a past day made of our own prices alone is not shown: we may have slept through half of it", async () => {
  exchange.setNow(() => noon);
  await askForPrices(market, noon);
  const tomorrow = new Date("2025-03-02T12:00:00Z");
  expect(await candles(noon)).toHaveLength(1);
  expect(await candles(tomorrow)).toHaveLength(0);
});

test("takes no candle that cannot be: of the future, upside down, or between days", async () => {
  const broken: unknown[][] = [
    ["1740873600", "1", "1", "1", "1"],
    ["1740614400", "5", "1", "9", "5"],
    ["1740614401", "1", "1", "1", "1"],
    ["x", "1", "1", "1", "1"],
    [],
  ];
  for (const venue of venues) exchange.set(venue, { status: 404 });
  exchange.set("kraken", {
    rewrite: () => ({ status: 200, body: { error: [], result: { XXBTZUSD: broken } } }),
  });
  await repair(noon, testMarket(db, exchange, { needed: 1 }));
  expect(await candles(noon)).toEqual([]);
});

test("simulated days give way to real ones, and never the other way round", async () => {
  const demo = testMarket(db, exchange, { demo: true });
  await repair(noon, demo);
  expect((await candles(noon)).every(({ simulated }) => simulated)).toBe(true);
  await repair(noon);
  expect((await candles(noon)).some(({ simulated }) => simulated)).toBe(false);
  await repair(new Date("2025-03-03T12:00:00Z"), demo);
  const days = await candles(noon);
  expect(days.filter(({ simulated }) => simulated).map(({ day }) => day)).toEqual([
    "2025-03-02",
    "2025-03-03",
  ]);
});

test("looks for gaps more often than it asks about today", async () => {
  exchange.setNow(() => noon);
  await askForCandles(market, noon, { today: false });
  expect((await candles(noon)).at(-1)?.day).toBe("2025-02-28");
  exchange.asked.length = 0;
  await askForCandles(market, noon, { today: false });
  expect(exchange.asked).toEqual([]);
});

test("of workers that begin together one asks", async () => {
  exchange.setNow(() => new Date());
  await Promise.all([repairCandles(market), repairCandles(market), repairCandles(market)]);
  expect(exchange.asked.filter((path) => path.startsWith("/api/v2/ohlc/btcusd/"))).toHaveLength(1);
});
