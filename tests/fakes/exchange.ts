import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { PricedAsset } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import {
  answerAsExchange,
  type ExchangeAnswer,
  venueOf,
} from "#server/markets/simulation/exchange-answers.ts";
import type { Market, MarketDay, Venue } from "#server/markets/simulation/simulated-market.ts";

/** How an exchange may misbehave. Several at once are possible. */
export interface Misbehaviour {
  /** Answers so much later. */
  slowMs?: number;
  /** Takes the question and never answers; with `dripping` it sends a byte now and then. */
  hanging?: boolean | "dripping";
  /** Breaks the connection. */
  down?: boolean;
  /** Answers with this status instead. */
  status?: number;
  retryAfter?: string;
  /** Multiplies its prices: 1.5 lies by a half. */
  factor?: number;
  /** Its clock runs so far behind; below zero, ahead. */
  behindMs?: number;
  /** Sends this text, with status 200, instead of an answer. */
  garbage?: string;
  /** Replaces what it would have answered. */
  rewrite?: (answer: ExchangeAnswer) => ExchangeAnswer;
  /** Sends so many megabytes; compressed, they are small. */
  hugeMb?: number;
  compressed?: boolean;
  /** Sends whoever asks elsewhere. */
  redirectTo?: string;
  /** Marks answers with this ETag, and answers 304 to who has them. */
  etag?: string;
}

export interface FakeExchange {
  url: string;
  /** The environment of a product that asks this exchange alone. */
  env: Record<string, string>;
  /** Every question so far, path and query. */
  asked: string[];
  askedOf(venue: Venue): number;
  setPrice(asset: PricedAsset, usd: string): void;
  /** Days of the past: by asset and UTC day. Others are flat at the present price. */
  setDay(asset: PricedAsset, day: string, prices: MarketDay | null, venue?: Venue): void;
  setNow(now: () => Date): void;
  setHeight(height: number): void;
  /** From now on this venue is like that; without a second argument it behaves. */
  set(venue: Venue, misbehaviour?: Misbehaviour): void;
  stop(): Promise<void>;
}

/**
 * Starts exchanges that speak Kraken's, Coinbase's, Bitstamp's and mempool's public REST, on one port, about
 * prices that the test sets. A PUT to /control with `{ "prices": {…}, "misbehaviour": {…} }` sets them from another process.
 */
export async function startFakeExchange(): Promise<FakeExchange> {
  const prices: Record<PricedAsset, string> = {
    BTC: "91234.5",
    ETH: "3123.45",
    XRP: "2.1234",
    DOGE: "0.16012",
    SOL: "140.55",
    USDT: "0.9998",
  };
  const misbehaviours: Partial<Record<Venue, Misbehaviour>> = {};
  const days = new Map<string, MarketDay | null>();
  const asked: string[] = [];
  let now = () => new Date();
  let height = 930_000;
  const set: FakeExchange["set"] = (venue, misbehaviour = {}) => {
    misbehaviours[venue] = misbehaviour;
  };
  const clockOf = (venue: Venue) =>
    new Date(now().getTime() - (misbehaviours[venue]?.behindMs ?? 0));
  const marketOf = (venue: Venue): Market => {
    const said = (usd: string) => (Number(usd) * (misbehaviours[venue]?.factor ?? 1)).toFixed(6);
    return {
      now: () => clockOf(venue),
      price: (_, asset) => said(prices[asset]),
      day(_, asset, day) {
        const keys = [`${venue} ${asset} ${day}`, `${asset} ${day}`];
        const key = keys.find((each) => days.has(each));
        if (key) return days.get(key) ?? null;
        const flat = said(prices[asset]);
        return day <= utcDay(now()) ? { open: flat, high: flat, low: flat, close: flat } : null;
      },
      network: () => ({ height, difficulty: 1.2e14, hashrate: (1.2e14 * 2 ** 32) / 600 }),
    };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://exchange");
    if (url.pathname === "/control") return void control(request, response);
    const venue = venueOf(url);
    asked.push(url.pathname + url.search);
    return void answer(request, response, {
      misbehaviour: misbehaviours[venue] ?? {},
      date: clockOf(venue),
      well: () => answerAsExchange(url, marketOf(venue)),
    });
  });
  async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await request.toArray()).join("");
    const told = JSON.parse(text) as {
      prices?: Partial<typeof prices>;
      misbehaviour?: Partial<Record<Venue, Misbehaviour>>;
    };
    Object.assign(prices, told.prices);
    Object.assign(misbehaviours, told.misbehaviour);
    response.writeHead(204).end();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sources = ["kraken", "coinbase", "bitstamp"].map((name) => `${name}=${url}`);
  return {
    url,
    env: { PRICE_SOURCES: sources.join(","), BITCOIN_NETWORK_SOURCE: url },
    asked,
    askedOf: (venue) => asked.filter((path) => venueOf(new URL(path, url)) === venue).length,
    setPrice(asset, usd) {
      prices[asset] = usd;
    },
    setDay: (asset, day, given, venue) =>
      void days.set(`${venue ? `${venue} ` : ""}${asset} ${day}`, given),
    setNow(clock) {
      now = clock;
    },
    setHeight(to) {
      height = to;
    },
    set,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Asked {
  misbehaviour: Misbehaviour;
  date: Date;
  well: () => ExchangeAnswer;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { misbehaviour, date, well }: Asked,
): Promise<void> {
  const { slowMs, hanging, down, status, redirectTo, etag } = misbehaviour;
  if (down) return void request.socket.destroy();
  if (hanging) return hang(response, hanging === "dripping");
  if (slowMs) await wait(slowMs);
  response.setHeader("date", date.toUTCString());
  response.setHeader("content-type", "application/json");
  if (misbehaviour.retryAfter) response.setHeader("retry-after", misbehaviour.retryAfter);
  if (etag) response.setHeader("etag", etag);
  if (redirectTo) return void response.writeHead(302, { location: redirectTo }).end();
  if (status) return void response.writeHead(status).end('{"message":"no"}');
  if (etag && request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
  if (misbehaviour.garbage !== undefined) return void response.end(misbehaviour.garbage);
  if (misbehaviour.hugeMb) return sendHuge(response, misbehaviour);
  const given = misbehaviour.rewrite ? misbehaviour.rewrite(well()) : well();
  response.writeHead(given.status).end(JSON.stringify(given.body));
}

function hang(response: ServerResponse, dripping: boolean): void {
  if (!dripping) return;
  response.write("{");
  const drip = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(drip));
}

function sendHuge(response: ServerResponse, { hugeMb = 0, compressed }: Misbehaviour): void {
  const text = `["${"a".repeat(hugeMb * 1024 * 1024)}"]`;
  if (compressed) response.setHeader("content-encoding", "gzip");
  response.end(compressed ? gzipSync(text) : text);
}
