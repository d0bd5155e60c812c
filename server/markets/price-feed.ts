import type { ServerResponse } from "node:http";
import type { PriceMessage } from "#core/price.ts";
import { isDatabaseOutage } from "../platform/database/database-failure.ts";
import { type Listening, listen } from "../platform/database/listen.ts";
import type { Db } from "../platform/database.ts";
import type { Log } from "../platform/log/log.ts";
import { listPrices } from "./list-prices.ts";
import { isFresh, type Price, toMessage } from "./price.ts";
import { priceChannel } from "./record-round.ts";

export interface PriceFeed {
  /** Sends prices to this client from now on, or says why not. `place` is where he comes from. */
  join(client: ServerResponse, place: string): "joined" | "too-many-of-a-network" | "too-many";
  clientCount(): number;
  /** Ends all streams at once, and takes no new ones. */
  stop(): Promise<void>;
}

export interface FeedLimits {
  clients: number;
  clientsOfANetwork: number;
  /** A sign of life for proxies, and the test whether a client still takes anything. */
  heartbeatMs: number;
  /** For how long a client may take nothing of what it was sent. */
  stuckMs: number;
  /** After it a stream is ended and the browser comes again by itself: nobody who vanished is kept for long. */
  streamMs: number;
}

const usualLimits: FeedLimits = {
  clients: 20_000,
  // An office behind one address, with a few tabs each; a browser opens at most six streams.
  clientsOfANetwork: 60,
  heartbeatMs: 15_000,
  stuckMs: 30_000,
  streamMs: 30 * 60_000,
};

interface Client {
  stream: ServerResponse;
  place: string;
  endsAt: number;
  /** Since when it takes nothing; null: it does. Meanwhile nothing more is written: the newest follows. */
  stuckSince: number | null;
}

/**
 * Sends prices to any number of browsers as server-sent events: at once, and on every change. However many
 * there are, a change costs this process one query and one text; a client that is slow gets the newest one
 * when it is ready for it, and one that takes nothing for half a minute is let go.
 */
export function openPriceFeed(
  { db, log, now }: { db: Db; log: Log; now(): Date },
  limits: FeedLimits = usualLimits,
): PriceFeed {
  const clients = new Set<Client>();
  const places = new Map<string, number>();
  let listening: Listening | null = null;
  let heartbeat: NodeJS.Timeout | null = null;
  let prices: Price[] | null = null;
  let isStopped = false;
  /** One query at a time; what changes while it runs is read by one more, for however many notices. */
  let reading: Promise<void> | null = null;
  let isOutdated = false;
  /** Which prices were called fresh in what was sent last. */
  let freshness = "";

  return {
    clientCount: () => clients.size,
    join(stream, place) {
      if (isStopped || clients.size >= limits.clients) return "too-many";
      // It waits behind another answer of its connection: nobody would hear that it has gone.
      if (stream.socket === null) return "too-many-of-a-network";
      const already = places.get(place) ?? 0;
      if (already >= limits.clientsOfANetwork) return "too-many-of-a-network";
      places.set(place, already + 1);
      open(stream, place);
      return "joined";
    },
    async stop() {
      isStopped = true;
      if (heartbeat) clearInterval(heartbeat);
      for (const client of clients) end(client);
      await listening?.stop();
      await reading;
    },
  };

  function open(stream: ServerResponse, place: string): void {
    const at = Date.now();
    // Not all at the same moment: they all come again.
    const endsAt = at + limits.streamMs * (0.8 + Math.random() * 0.4);
    const client: Client = { stream, place, endsAt, stuckSince: null };
    clients.add(client);
    stream.on("close", () => leave(client));
    stream.on("error", () => leave(client));
    stream.on("drain", () => {
      client.stuckSince = null;
      if (prices) write(client, encode(prices, now()));
    });
    stream.writeHead(200, streamHeaders);
    stream.write("retry: 5000\n\n");
    heartbeat ??= setInterval(beat, limits.heartbeatMs).unref();
    listening ??= listen(db, priceChannel, { log, onNotice: refresh });
    if (prices) write(client, encode(prices, now()));
    else refresh();
  }

  function refresh(): void {
    isOutdated = true;
    reading ??= read().finally(() => {
      reading = null;
    });
  }

  async function read(): Promise<void> {
    while (isOutdated && !isStopped) {
      isOutdated = false;
      try {
        prices = await listPrices(db, now());
        broadcast(prices);
      } catch (error) {
        // Listening has broken as well then, and reads again when it is back.
        if (!isDatabaseOutage(error)) log.error({ err: error }, "prices could not be read");
      }
    }
  }

  function broadcast(current: Price[]): void {
    const text = encode(current, now());
    freshness = freshnessOf(current, now());
    for (const client of clients) write(client, text);
  }

  function write(client: Client, text: Buffer | string): void {
    if (client.stuckSince !== null || client.stream.destroyed) return;
    if (!client.stream.write(text)) client.stuckSince = Date.now();
  }

  function beat(): void {
    const at = Date.now();
    for (const client of clients) {
      if (client.stuckSince !== null && at - client.stuckSince > limits.stuckMs) leave(client);
      else if (at > client.endsAt) end(client);
      else write(client, ": \n\n");
    }
    // A price becomes too old without anything happening in the database.
    if (prices && freshnessOf(prices, now()) !== freshness) broadcast(prices);
  }

  function end(client: Client): void {
    if (client.stuckSince === null) client.stream.end();
    else client.stream.destroy();
    forget(client);
  }

  function leave(client: Client): void {
    client.stream.destroy();
    forget(client);
  }

  function forget(client: Client): void {
    if (!clients.delete(client)) return;
    const left = (places.get(client.place) ?? 1) - 1;
    if (left > 0) places.set(client.place, left);
    else places.delete(client.place);
  }
}

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  // Proxies that collect answers would keep the prices to themselves.
  "x-accel-buffering": "no",
  // So that the connection ends with the stream, and a stopping process need not wait.
  connection: "close",
};

/** One event with the whole list: whoever missed some has lost nothing. */
function encode(prices: Price[], now: Date): Buffer {
  const messages: PriceMessage[] = prices.map((price) => toMessage(price, now));
  return Buffer.from(`event: prices\ndata: ${JSON.stringify(messages)}\n\n`);
}

function freshnessOf(prices: Price[], now: Date): string {
  return prices.map(({ observedAt }) => isFresh(observedAt, now)).join();
}
