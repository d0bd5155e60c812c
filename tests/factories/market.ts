import { randomUUIDv7 } from "node:crypto";
import type pg from "pg";
import type { PricedAsset } from "#core/price.ts";
import type { MarketContext } from "#server/markets/round.ts";
import { marketPrices, marketQuotes } from "#server/markets/schema.ts";
import type { Db } from "#server/platform/database.ts";
import { openLog } from "#server/platform/log/log.ts";
import type { FakeExchange } from "../fakes/exchange.ts";

/** What a round of questions is given, asking a fake exchange; `lines` collects what it logs. */
export function testMarket(
  db: Db,
  { url }: Pick<FakeExchange, "url">,
  options: { needed?: number; pollSeconds?: number; demo?: boolean } = {},
): MarketContext & { lines: Array<Record<string, unknown>> } {
  const lines: Array<Record<string, unknown>> = [];
  const names = ["kraken", "coinbase", "bitstamp"] as const;
  const { needed = 2, pollSeconds = 15, demo = false } = options;
  const prices = { sources: names.map((name) => ({ name, url })), needed, pollSeconds };
  const log = openLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
  return { db, log, lines, config: { prices, bitcoinNetworkUrl: url, demo } };
}

/** Lets no price have been there yet. The tables of money that was valued with one keep it from being truncated. */
export async function forgetPrices(owner: Pick<pg.Pool, "query">): Promise<void> {
  await owner.query("alter table market_prices disable trigger user; delete from market_prices");
  await owner.query("alter table market_prices enable trigger user");
}

/** A price on which two exchanges agreed at a moment. */
export async function createTestPrice(
  db: Db,
  price: { asset: PricedAsset; usdE8: bigint; observedAt: Date; simulated?: boolean },
): Promise<string> {
  const id = randomUUIDv7();
  const { usdE8, observedAt: quotedAt } = price;
  const quote = { priceId: id, usdE8, quotedAt, verdict: "agreed" as const };
  await db.transaction(async (tx) => {
    await tx.insert(marketPrices).values({ id, agreed: 2, simulated: false, ...price });
    await tx.insert(marketQuotes).values([
      { ...quote, source: "coinbase", host: "api.exchange.coinbase.com" },
      { ...quote, source: "kraken", host: "api.kraken.com" },
    ]);
  });
  return id;
}
