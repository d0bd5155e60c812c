import { isPricedAsset, type PricedAsset } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import type { Market, MarketDay, Venue } from "./simulated-market.ts";

/** An answer as the imitated exchange would give it. */
export interface ExchangeAnswer {
  status: number;
  /** What becomes JSON. */
  body: unknown;
}

const daySeconds = 86_400;

const krakenPairs = new Map<string, { asset: PricedAsset; answered: string }>([
  ["XBTUSD", { asset: "BTC", answered: "XXBTZUSD" }],
  ["ETHUSD", { asset: "ETH", answered: "XETHZUSD" }],
  ["XRPUSD", { asset: "XRP", answered: "XXRPZUSD" }],
  ["XDGUSD", { asset: "DOGE", answered: "XDGUSD" }],
  ["SOLUSD", { asset: "SOL", answered: "SOLUSD" }],
  ["USDTUSD", { asset: "USDT", answered: "USDTZUSD" }],
]);

/** The venue whose addresses look like this one. */
export function venueOf({ pathname }: URL): Venue {
  if (pathname.startsWith("/0/public/")) return "kraken";
  if (pathname.startsWith("/products/")) return "coinbase";
  return pathname.startsWith("/api/v2/") ? "bitstamp" : "mempool";
}

/**
 * Answers in the public REST shape of Kraken, Coinbase Exchange, Bitstamp or mempool, whichever the address
 * belongs to, about any market: the demo's invented one, or a test's.
 */
export function answerAsExchange(url: URL, market: Market): ExchangeAnswer {
  const answer = {
    kraken: answerAsKraken,
    coinbase: answerAsCoinbase,
    bitstamp: answerAsBitstamp,
    mempool: answerAsMempool,
  }[venueOf(url)];
  return answer(url, market);
}

/** Errors come with status 200; answers stand under Kraken's own names for the pairs. */
function answerAsKraken(url: URL, market: Market): ExchangeAnswer {
  const asked = (url.searchParams.get("pair") ?? "")
    .split(",")
    .map((pair) => krakenPairs.get(pair));
  const pairs = asked.filter((pair) => pair !== undefined);
  if (pairs.length < asked.length) return ok({ error: ["EQuery:Unknown asset pair"] });
  if (url.pathname === "/0/public/Ticker") {
    const result = pairs.map(({ asset, answered }) => [answered, krakenTicker(asset, market)]);
    return ok({ error: [], result: Object.fromEntries(result) });
  }
  const [pair] = pairs;
  if (url.pathname !== "/0/public/OHLC" || !pair) return ok({ error: ["EGeneral:Unknown method"] });
  const since = Number(url.searchParams.get("since") ?? 0);
  const rows = daysAfter(market, "kraken", pair.asset, since + 1, 720).map(({ seconds, day }) => [
    seconds,
    ...[day.open, day.high, day.low, day.close, day.close],
    ...["12.5", 70],
  ]);
  return ok({ error: [], result: { [pair.answered]: rows, last: rows.at(-2)?.[0] ?? 0 } });
}

function krakenTicker(asset: PricedAsset, market: Market) {
  const price = market.price("kraken", asset, market.now());
  const [both, twice] = [
    [price, price],
    [1, 2],
  ];
  const book = [price, "1", "1.000"];
  return {
    a: book,
    b: book,
    c: [price, "0.01"],
    v: both,
    p: both,
    t: twice,
    l: both,
    h: both,
    o: price,
  };
}

function answerAsCoinbase(url: URL, market: Market): ExchangeAnswer {
  const [, name = "", what] = /^\/products\/(\w+)-USD\/(ticker|candles)$/.exec(url.pathname) ?? [];
  if (!isPricedAsset(name)) return { status: 404, body: { message: "NotFound" } };
  if (what === "ticker") {
    const price = market.price("coinbase", name, market.now());
    const time = market.now().toISOString();
    return ok({ ask: price, bid: price, volume: "100", trade_id: 1, price, size: "0.1", time });
  }
  const [start, end] = ["start", "end"].map(
    (side) => Date.parse(url.searchParams.get(side) ?? "") / 1000,
  );
  if (start === undefined || end === undefined || (end - start) / daySeconds > 300) {
    const message =
      "granularity too small for the requested time range. Count of aggregations requested exceeds 300";
    return { status: 400, body: { message } };
  }
  const rows = daysAfter(market, "coinbase", name, start, 301)
    .filter(({ seconds }) => seconds <= end)
    .map(({ seconds, day }) => [
      seconds,
      ...[day.low, day.high, day.open, day.close].map(Number),
      12.5,
    ]);
  return ok(rows.reverse());
}

function answerAsBitstamp(url: URL, market: Market): ExchangeAnswer {
  const [, what, pair = ""] = /^\/api\/v2\/(ticker|ohlc)\/(\w+)usd\/$/.exec(url.pathname) ?? [];
  const asset = pair.toUpperCase();
  if (!isPricedAsset(asset))
    return { status: 404, body: { status: "error", reason: "Pair not found" } };
  if (what === "ticker") return ok(bitstampTicker(asset, market));
  const limit = Number(url.searchParams.get("limit"));
  const start = Number(url.searchParams.get("start") ?? 0);
  const ohlc = daysAfter(market, "bitstamp", asset, start, limit).map(({ seconds, day }) => ({
    ...day,
    timestamp: String(seconds),
    volume: "12.5",
  }));
  return ok({ data: { pair: `${asset}/USD`, ohlc } });
}

function bitstampTicker(asset: PricedAsset, market: Market) {
  const now = market.now();
  const last = market.price("bitstamp", asset, now);
  const dayBefore = market.price("bitstamp", asset, new Date(now.getTime() - daySeconds * 1000));
  return {
    timestamp: String(Math.floor(now.getTime() / 1000)),
    last,
    bid: last,
    ask: last,
    open: last,
    high: last,
    low: last,
    vwap: last,
    volume: "100",
    side: "0",
    open_24: dayBefore,
    percent_change_24: "0.00",
  };
}

function answerAsMempool(url: URL, market: Market): ExchangeAnswer {
  const now = market.now();
  const { height, difficulty, hashrate } = market.network(now);
  if (url.pathname === "/api/blocks/tip/height") return ok(height);
  if (url.pathname === "/api/v1/mining/hashrate/3d") {
    const timestamp = Math.floor(now.getTime() / 1000);
    const hashrates = [{ timestamp, avgHashrate: hashrate }];
    return ok({
      hashrates,
      difficulty: [],
      currentHashrate: hashrate,
      currentDifficulty: difficulty,
    });
  }
  if (url.pathname === "/api/v1/mining/reward-stats/144") {
    const totals = { totalReward: "45300000000", totalFee: "300000096", totalTx: "500000" };
    return ok({ startBlock: height - 143, endBlock: height, ...totals });
  }
  if (url.pathname === "/api/v1/fees/recommended") {
    return ok({ fastestFee: 6, halfHourFee: 4, hourFee: 3, economyFee: 2, minimumFee: 1 });
  }
  return { status: 404, body: { error: "not found" } };
}

/** Days of a venue that begin at a moment or after it, today's unfinished one included. */
function daysAfter(market: Market, venue: Venue, asset: PricedAsset, since: number, limit: number) {
  const today = Date.parse(utcDay(market.now())) / 1000;
  // Exchanges have no more than some years of them.
  const first = Math.max(Math.ceil(since / daySeconds) * daySeconds, today - 719 * daySeconds);
  const days: Array<{ seconds: number; day: MarketDay }> = [];
  for (let seconds = first; seconds <= today && days.length < limit; seconds += daySeconds) {
    const day = market.day(venue, asset, utcDay(new Date(seconds * 1000)));
    if (day) days.push({ seconds, day });
  }
  return days;
}

function ok(body: unknown): ExchangeAnswer {
  return { status: 200, body };
}
