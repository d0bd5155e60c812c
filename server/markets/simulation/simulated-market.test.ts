import { afterAll, expect, test } from "vitest";
import { parseUsd, pricedAssets } from "#core/price.ts";
import { addDays, startOfDay } from "#core/utc-day.ts";
import { testMarket } from "#tests/factories/market.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listCandles } from "../candles/list-candles.ts";
import { askForCandles } from "../candles/repair-candles.ts";
import { findNetworkFigures } from "../find-network-figures.ts";
import { listPrices } from "../list-prices.ts";
import { askForNetworkFigures } from "../poll-network.ts";
import { askForPrices } from "../poll-prices.ts";
import { simulatedMarket } from "./simulated-market.ts";
import { startSimulatedExchange } from "./start-simulated-exchange.ts";

const { db } = await testDatabase();
const noon = new Date("2025-03-01T12:00:00Z");
const market = simulatedMarket(() => noon, "2025-03-01");
const exchange = await startSimulatedExchange(market);
afterAll(() => exchange.stop());

test("a demo is filled with prices, twelve months of days and network figures, all marked as simulated", async () => {
  const demo = testMarket(db, exchange, { demo: true });
  await askForPrices(demo, noon);
  await askForCandles(demo, noon);
  await askForNetworkFigures(demo, noon);
  const prices = await listPrices(db, noon);
  expect(prices.map(({ asset, simulated, sources }) => [asset, simulated, sources])).toEqual(
    pricedAssets.map((asset) => [asset, true, 3]),
  );
  for (const asset of pricedAssets) {
    const days = await listCandles(db, asset, { days: 365, now: noon });
    expect(days).toHaveLength(366);
    expect(days.every(({ simulated }) => simulated)).toBe(true);
  }
  expect(await findNetworkFigures(db, noon)).toMatchObject({ simulated: true });
  expect(demo.lines).toEqual([]);
});

test("invented prices fit together: a day opens where the one before closed, and today ends at the price", async () => {
  const day = (text: string) => {
    const found = market.day("kraken", "BTC", text);
    if (!found) throw new Error("there is such a day");
    return found;
  };
  expect(day("2025-02-28").open).toBe(day("2025-02-27").close);
  expect(day("2025-03-01").close).toBe(market.price("kraken", "BTC", noon));
  expect(market.day("kraken", "BTC", "2025-03-02")).toBeNull();
});

test("a market shows the same days whenever its first one is", () => {
  const tenDays = (firstDay: string) => {
    const later = simulatedMarket(() => startOfDay(addDays(firstDay, 10)), firstDay);
    return Array.from({ length: 40 }, (_, nth) => {
      const day = addDays(firstDay, nth - 30);
      const at = new Date(startOfDay(day).getTime() + 50_000_000);
      return [
        later.price("kraken", "BTC", at),
        later.day("bitstamp", "ETH", day),
        later.network(at),
      ];
    });
  };
  expect(tenDays("2028-02-29")).toEqual(tenDays("2025-03-01"));
});

test("an invented stablecoin stays near a dollar, and nothing falls to nothing, in ten years", () => {
  for (let week = 0; week < 520; week += 1) {
    const at = new Date(noon.getTime() + week * 7 * 86_400_000);
    const usdt = parseUsd(market.price("bitstamp", "USDT", at)) ?? 0n;
    expect(usdt > 9900_0000n && usdt < 1_0100_0000n).toBe(true);
    for (const asset of pricedAssets)
      expect(parseUsd(market.price("kraken", asset, at))).not.toBeNull();
  }
});
