import { afterAll, beforeEach, expect, test } from "vitest";
import { pricedAssets } from "#core/price.ts";
import { forgetPrices, testMarket } from "#tests/factories/market.ts";
import { startFakeExchange } from "#tests/fakes/exchange.ts";
import { within } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listCandles } from "./candles/list-candles.ts";
import { findLastPrice } from "./find-fresh-price.ts";
import { listQuotes } from "./find-stored-price.ts";
import { listPrices } from "./list-prices.ts";
import { askForPrices, pollPrices } from "./poll-prices.ts";
import { requireFreshPrice } from "./require-fresh-price.ts";

const { db, owner } = await testDatabase();
const exchange = await startFakeExchange();
afterAll(() => exchange.stop());
const market = testMarket(db, exchange);

/** A moment of the exchange's and the product's clock alike; each test is a day later than the one before. */
let start = new Date("2025-03-01T12:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
async function ask(seconds: number): Promise<void> {
  exchange.setNow(() => after(seconds));
  await askForPrices(market, after(seconds));
}
const btc = (seconds: number) => findLastPrice(db, "BTC", after(seconds));
const logged = () => market.lines.splice(0).map(({ msg }) => msg);

beforeEach(async () => {
  start = new Date(start.getTime() + 86_400_000);
  for (const venue of ["kraken", "coinbase", "bitstamp"] as const) exchange.set(venue);
  await forgetPrices(owner);
  await owner.query("truncate market_sources, market_assets, market_drops, market_candles");
  market.lines.length = 0;
  exchange.asked.length = 0;
});

test("keeps a price of every asset, with what each exchange said", async () => {
  await ask(0);
  const prices = await listPrices(db, after(2));
  expect(prices.map(({ asset }) => asset)).toEqual([...pricedAssets]);
  expect(prices[0]).toMatchObject({
    usd: "91234.50000000",
    sources: 3,
    agreed: ["bitstamp", "coinbase", "kraken"],
    observedAt: after(0),
    ageMs: 2000,
    fresh: true,
    simulated: false,
    trouble: null,
  });
  const quotes = await listQuotes(db, prices[0]?.priceId ?? "");
  expect(quotes).toHaveLength(3);
  expect(quotes[0]).toMatchObject({ usdE8: 91_234_5000_0000n, verdict: "agreed" });
  expect(logged()).toEqual([]);
});

test("leaves out an exchange that lies, shows it in the evidence, and says so once", async () => {
  exchange.set("bitstamp", { factor: 1.5 });
  await ask(0);
  await ask(15);
  const price = await btc(15);
  expect(price).toMatchObject({ usd: "91234.50000000", agreed: ["coinbase", "kraken"] });
  const quotes = await listQuotes(db, price?.priceId ?? "");
  expect(quotes.find(({ source }) => source === "bitstamp")).toMatchObject({
    usdE8: 136_851_7500_0000n,
    verdict: "outlier",
  });
  expect(logged()).toEqual(pricedAssets.map(() => "market quote left out from now on"));
  exchange.set("bitstamp");
  await ask(30);
  await ask(45);
  expect(logged()).toEqual(pricedAssets.map(() => "market quote counts again"));
  const { rows } = await owner.query(
    "select reason, usd_e8, started_at, ended_at from market_drops where asset = 'BTC'",
  );
  expect(rows).toEqual([
    {
      reason: "outlier",
      usd_e8: "13685175000000",
      started_at: after(0),
      ended_at: after(30),
    },
  ]);
});

test.each([
  ["old", { behindMs: 600_000 }],
  ["of the future", { behindMs: -600_000 }],
])("leaves out quotes that are %s", async (_when, misbehaviour) => {
  exchange.set("coinbase", misbehaviour);
  await ask(0);
  const price = await btc(0);
  expect(price?.agreed).toEqual(["bitstamp", "kraken"]);
  const quotes = await listQuotes(db, price?.priceId ?? "");
  expect(quotes.at(-1)).toMatchObject({ source: "coinbase", verdict: "stale" });
});

test.each([
  ["counts its seconds in thousandths", "bitstamp", { timestamp: "1740830400000" }],
  ["says a time before all writing", "bitstamp", { timestamp: "-8000000000000" }],
  ["says a time beyond all calendars", "coinbase", { time: "+200000-01-01T00:00:00Z" }],
] as const)(
  "does without an exchange that %s: the others still make a price",
  async (_what, venue, lie) => {
    exchange.set(venue, {
      rewrite: ({ status, body }) => ({ status, body: { ...(body as object), ...lie } }),
    });
    await ask(0);
    expect((await btc(0))?.sources).toBe(2);
    const { rows } = await owner.query("select reason from market_drops where source = $1", [
      venue,
    ]);
    expect(new Set(rows.map(({ reason }) => reason))).toEqual(new Set(["unreadable"]));
  },
);

test("an answer from a cache is as old as the cache says, also where tickers hold no time", async () => {
  exchange.set("kraken", { behindMs: 600_000 });
  await ask(0);
  expect((await btc(0))?.agreed).toEqual(["bitstamp", "coinbase"]);
});

test.each([
  ["breaks the connection", { down: true }, "cannot be reached (UND_ERR_SOCKET)"],
  ["answers 503", { status: 503 }, "answered 503"],
  ["sends a page", { garbage: "<html>maintenance</html>" }, "answered with no JSON"],
  ["sends nothing", { garbage: "" }, "answered with no JSON"],
  ["sends null", { garbage: "null" }, "answered in an unknown shape (at the whole)"],
  ["sends another shape", { garbage: '{"a":[[1]]}' }, /^answered in an unknown shape/],
  ["sends too much", { hugeMb: 2 }, "answered with more than 1 MB"],
  ["sends too much, compressed", { hugeMb: 2, compressed: true }, "answered with more than 1 MB"],
  ["sends us elsewhere", { redirectTo: "http://127.0.0.1:9/" }, "cannot be reached"],
] as const)("does without an exchange that %s", async (_what, misbehaviour, reason) => {
  for (const venue of ["kraken", "coinbase", "bitstamp"] as const) {
    exchange.set(venue, misbehaviour);
    await ask(0);
    const price = await btc(0);
    expect(price?.sources).toBe(2);
    expect(price?.agreed).not.toContain(venue);
    const { rows } = await owner.query(
      "select last_error, state from market_sources where source = $1",
      [venue],
    );
    expect(rows[0].last_error).toMatch(reason);
    expect(rows[0].state).toBe("failing");
    exchange.set(venue);
    await forgetPrices(owner);
    await owner.query("truncate market_sources");
  }
});

test.each([
  ["never answers", { hanging: true }],
  ["drips bytes", { hanging: "dripping" }],
  ["answers after eight seconds", { slowMs: 8000 }],
] as const)("does not wait for an exchange that %s", async (_what, misbehaviour) => {
  exchange.set("kraken", misbehaviour);
  const started = performance.now();
  exchange.setNow(() => after(0));
  const hasty = testMarket(db, exchange, { pollSeconds: 5 });
  await askForPrices(hasty, after(0));
  // Before the next round begins.
  expect(performance.now() - started).toBeLessThan(within(4500));
  expect((await btc(0))?.agreed).toEqual(["bitstamp", "coinbase"]);
  expect(hasty.lines[0]).toMatchObject({ source: "kraken", reason: "no answer in time" });
});

test.each(["0", "-1", "1e9", "NaN", "", "12,5", "9".repeat(61), "99999999999999"])(
  "takes the price '%s' for none",
  async (last) => {
    exchange.set("bitstamp", {
      rewrite: ({ status, body }) => ({ status, body: { ...(body as object), last } }),
    });
    await ask(0);
    expect((await btc(0))?.agreed).toEqual(["coinbase", "kraken"]);
    expect(market.lines[0]).toMatchObject({ source: "bitstamp", reason: "unreadable" });
  },
);

test("an exchange without one of the assets counts for the others", async () => {
  exchange.set("kraken", {
    rewrite: ({ status, body }) => {
      const { result } = body as { result: Record<string, unknown> };
      const { XXBTZUSD: _, ...rest } = result;
      return { status, body: { error: [], result: rest } };
    },
  });
  await ask(0);
  expect((await btc(0))?.agreed).toEqual(["bitstamp", "coinbase"]);
  expect((await findLastPrice(db, "ETH", after(0)))?.sources).toBe(3);
});

test("keeps the last price, says why there is none newer, and values nothing with it after ten minutes", async () => {
  await ask(0);
  for (const venue of ["kraken", "bitstamp"] as const) exchange.set(venue, { down: true });
  await ask(15);
  await ask(30);
  expect(await btc(30)).toMatchObject({
    observedAt: after(0),
    ageMs: 30_000,
    fresh: true,
    trouble: "too-few-sources",
  });
  expect((await requireFreshPrice(db, "BTC", after(600))).usdE8).toBe(91_234_5000_0000n);
  await expect(requireFreshPrice(db, "BTC", after(601))).rejects.toThrow("markets/price-too-old");
  expect(logged().sort()).toEqual([
    "market source does not answer",
    "market source does not answer",
    "no new prices: too few sources answer",
  ]);
});

test("two exchanges that contradict each other make no price", async () => {
  exchange.set("kraken", { down: true });
  exchange.set("bitstamp", { factor: 1.1 });
  await ask(0);
  expect(await btc(0)).toBeNull();
  expect(logged()).toContain("no new prices: the sources disagree");
});

test("nothing is quoted while exchanges disagree, however young the last price is", async () => {
  await ask(0);
  await requireFreshPrice(db, "BTC", after(1));
  exchange.set("kraken", { down: true });
  exchange.set("bitstamp", { factor: 1.1 });
  await ask(15);
  await expect(requireFreshPrice(db, "BTC", after(16))).rejects.toThrow("markets/sources-disagree");
  expect((await btc(16))?.fresh).toBe(true);
  for (const venue of ["kraken", "bitstamp"] as const) exchange.set(venue);
  await ask(400);
  await requireFreshPrice(db, "BTC", after(401));
});

test("a day without internet costs a few lines in the log and few questions", async () => {
  for (const venue of ["kraken", "coinbase", "bitstamp"] as const)
    exchange.set(venue, { down: true });
  for (let seconds = 0; seconds < 3600; seconds += 15) await ask(seconds);
  expect(logged()).toHaveLength(4);
  expect(exchange.askedOf("kraken")).toBeLessThan(20);
  expect(exchange.asked.length).toBeGreaterThan(20);
  for (const venue of ["kraken", "coinbase", "bitstamp"] as const) exchange.set(venue);
  await ask(3600 + 300);
  expect(logged()).toHaveLength(4);
  expect((await btc(3900))?.sources).toBe(3);
});

test("an exchange that limits us is left alone for as long as it says", async () => {
  exchange.set("kraken", { status: 429, retryAfter: "120" });
  await ask(0);
  exchange.set("kraken");
  for (const seconds of [15, 60, 119]) await ask(seconds);
  expect(exchange.askedOf("kraken")).toBe(1);
  expect((await btc(119))?.sources).toBe(2);
  await ask(120);
  expect((await btc(120))?.sources).toBe(3);
  expect(logged()).toEqual(["market source does not answer", "market source answers again"]);
});

test.each([
  ["a status without a time", "bitstamp", { status: 429 }],
  ["words with status 200", "kraken", { garbage: '{"error":["EAPI:Rate limit exceeded"]}' }],
  ["a time a year away", "coinbase", { status: 429, retryAfter: "31536000" }],
] as const)("understands a limit told by %s", async (_how, venue, misbehaviour) => {
  exchange.set(venue, misbehaviour);
  await ask(0);
  const before = exchange.askedOf(venue);
  await ask(15);
  await ask(45);
  expect(exchange.askedOf(venue)).toBe(before);
  exchange.set(venue);
  await ask(3601);
  expect((await btc(3601))?.sources).toBe(3);
});

test("need not be sent again what has not changed", async () => {
  exchange.set("kraken", { etag: '"one"' });
  await ask(0);
  exchange.setPrice("BTC", "91300");
  await ask(15);
  // The exchange insisted that nothing had changed: its old figure agrees with the others within 1 %.
  const quotes = await listQuotes(db, (await btc(15))?.priceId ?? "");
  expect(quotes.find(({ source }) => source === "kraken")?.usdE8).toBe(91_234_5000_0000n);
  exchange.setPrice("BTC", "91234.5");
});

test("knows the change of 24 hours by its own prices, else by what the exchanges say", async () => {
  await ask(0);
  expect((await btc(0))?.change24h).toBe(0);
  await ask(86_400);
  exchange.setPrice("BTC", "95796.22");
  await ask(86_400 + 15);
  expect((await btc(86_415))?.change24h).toBe(4.99);
  exchange.setPrice("BTC", "91234.5");
});

test("today's candle moves with the prices", async () => {
  await ask(0);
  for (const [seconds, usd] of [
    [15, "91900"],
    [30, "90500"],
    [45, "91000"],
  ] as const) {
    exchange.setPrice("BTC", usd);
    await ask(seconds);
  }
  exchange.setPrice("BTC", "91234.5");
  const candles = await listCandles(db, "BTC", { days: 365, now: after(45) });
  expect(candles.at(-1)).toMatchObject({
    day: after(0).toISOString().slice(0, 10),
    openUsdE8: 91_234_5000_0000n,
    highUsdE8: 91_900_0000_0000n,
    lowUsdE8: 90_500_0000_0000n,
    closeUsdE8: 91_000_0000_0000n,
    isFinal: false,
  });
});

test("of workers that begin together one asks", async () => {
  exchange.setNow(() => new Date());
  await Promise.all(Array.from({ length: 6 }, () => pollPrices(market)));
  await pollPrices(market);
  expect(exchange.askedOf("kraken")).toBe(1);
  expect(await listPrices(db, new Date())).toHaveLength(pricedAssets.length);
});

test("asks nobody when prices are switched off", async () => {
  const off = { ...market.config, prices: { ...market.config.prices, sources: [] } };
  await pollPrices({ ...market, config: off });
  expect(exchange.asked).toEqual([]);
});
