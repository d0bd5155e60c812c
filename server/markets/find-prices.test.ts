import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listCandles } from "./candles/list-candles.ts";
import { findFreshPrice } from "./find-fresh-price.ts";
import { findNetworkFigures } from "./find-network-figures.ts";
import { listQuotes } from "./find-stored-price.ts";
import { listPrices } from "./list-prices.ts";
import { requireFreshPrice } from "./require-fresh-price.ts";
import { marketPrices, marketQuotes } from "./schema.ts";

const { db } = await testDatabase();
const noon = new Date("2025-03-01T12:00:00Z");

test("knows no price before the first one, and says so", async () => {
  expect(await listPrices(db, noon)).toEqual([]);
  expect(await findNetworkFigures(db, noon)).toBeNull();
  expect(await listCandles(db, "BTC", { days: 365, now: noon })).toEqual([]);
  await expect(requireFreshPrice(db, "BTC", noon)).rejects.toThrow("markets/price-too-old");
});

test("values money with a price of ten minutes, and with none that is older", async () => {
  const id = randomUUIDv7();
  await db.transaction(async (tx) => {
    const price = { id, asset: "BTC" as const, usdE8: 9_000_000_000_000n, simulated: false };
    await tx
      .insert(marketPrices)
      .values({ ...price, usdE8DayBefore: 10_000_000_000_000n, observedAt: noon, agreed: 1 });
    await tx.insert(marketQuotes).values({
      priceId: id,
      source: "kraken",
      host: "api.kraken.com",
      usdE8: price.usdE8,
      quotedAt: noon,
      verdict: "agreed",
    });
  });
  const after = (ms: number) => new Date(noon.getTime() + ms);
  expect(await requireFreshPrice(db, "BTC", after(600_000))).toMatchObject({
    usd: "90000.00000000",
    sources: 1,
    agreed: ["kraken"],
    ageMs: 600_000,
    change24h: -10,
  });
  expect(await findFreshPrice(db, "BTC", after(600_001))).toBeNull();
  expect(await listPrices(db, after(86_400_000))).toMatchObject([{ asset: "BTC", fresh: false }]);
  expect(await listQuotes(db, id)).toMatchObject([{ source: "kraken", verdict: "agreed" }]);
});
