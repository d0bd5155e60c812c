import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { createTestPrice, forgetPrices } from "#tests/factories/market.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { requireSameInstallation } from "../platform/database/require-same-installation.ts";
import { findLastPrice } from "./find-fresh-price.ts";
import { listQuotes } from "./find-stored-price.ts";
import { pinPrice } from "./pin-price.ts";
import { networkFigures } from "./schema.ts";
import { sweepPrices } from "./sweep-prices.ts";

const { db, owner } = await testDatabase();
const now = new Date("2025-03-10T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const btc = { asset: "BTC" as const, usdE8: 9_000_000_000_000n };

test("PostgreSQL refuses a price of the future, whoever writes it and whatever clock he has", async () => {
  const observedAt = new Date(Date.now() + 60_000);
  await expect(createTestPrice(db, { ...btc, observedAt })).rejects.toMatchObject({
    cause: { constraint: "prices_are_not_of_the_future" },
  });
  const insert = `insert into market_prices (id, asset, usd_e8, observed_at, agreed, simulated, recorded_at)
    values ($1, 'BTC', 1, $2, 1, false, $2)`;
  const chosen = db.$client.query(insert, [randomUUIDv7(), observedAt]);
  await expect(chosen).rejects.toThrow("permission denied");
});

test.each([
  ["no quotes at all", 1, []],
  ["fewer quotes than it claims", 2, [["kraken", "100", "agreed"]]],
  ["a quote that was left out", 1, [["kraken", "100", "outlier"]]],
  ["quotes that say something else", 1, [["kraken", "120", "agreed"]]],
])("PostgreSQL refuses a price that rests on %s", async (_what, agreed, quotes) => {
  const id = randomUUIDv7();
  const write = db.transaction(async (tx) => {
    const client = tx as unknown as typeof db;
    await client.execute(`insert into market_prices (id, asset, usd_e8, observed_at, agreed, simulated)
      values ('${id}', 'BTC', 100, '2025-03-01', ${agreed}, false)`);
    for (const [source, usdE8, verdict] of quotes) {
      await client.execute(`insert into market_quotes (price_id, source, host, usd_e8, quoted_at, verdict)
        values ('${id}', '${source}', 'exchange.example', ${usdE8}, '2025-03-01', '${verdict}')`);
    }
  });
  await expect(write).rejects.toMatchObject({
    cause: { constraint: "prices_rest_on_their_quotes" },
  });
});

test("the application cannot rewrite a price, a quote or figures of the network", async () => {
  await createTestPrice(db, { ...btc, observedAt: hoursAgo(1) });
  for (const change of [
    "update market_prices set usd_e8 = 1",
    "update market_prices set observed_at = now()",
    "update market_quotes set usd_e8 = 1",
    "delete from market_quotes",
    "update network_figures set height = 1",
    "delete from network_figures",
    "delete from market_candles",
  ]) {
    await expect(db.$client.query(change), change).rejects.toThrow("permission denied");
  }
});

test("old prices are thinned to one in ten minutes with their quotes; those that money was valued with stay", async () => {
  await forgetPrices(owner);
  const ids: string[] = [];
  for (let minute = 0; minute < 30; minute += 1) {
    const observedAt = new Date(hoursAgo(60).getTime() + minute * 60_000);
    ids.push(await createTestPrice(db, { ...btc, observedAt }));
  }
  const recent = await createTestPrice(db, { ...btc, observedAt: hoursAgo(47) });
  const used = ids[15] ?? "";
  await db.transaction((tx) => pinPrice(tx, { priceId: used }));
  await sweepPrices(db, now);
  await sweepPrices(db, now);
  const { rows } = await owner.query("select id from market_prices order by observed_at");
  expect(rows.map(({ id }) => id)).toEqual([ids[0], ids[10], used, ids[20], recent]);
  expect(await listQuotes(db, ids[1] ?? "")).toEqual([]);
  expect(await listQuotes(db, used)).toHaveLength(2);
});

test("not even the owner of the tables forgets a price that money was valued with", async () => {
  const id = await createTestPrice(db, { ...btc, observedAt: hoursAgo(0.5) });
  await db.transaction((tx) => pinPrice(tx, { priceId: id }));
  for (const change of ["delete from market_prices", "update market_prices set pinned = false"]) {
    await expect(owner.query(`${change} where id = $1`, [id])).rejects.toMatchObject({
      constraint: "pinned_prices_are_kept",
    });
  }
  expect((await findLastPrice(db, "BTC", now))?.priceId).toBe(id);
});

test("PostgreSQL refuses a subsidy that does not follow from the height", async () => {
  const figures = {
    observedAt: now,
    host: "127.0.0.1",
    simulated: false,
    height: 930_000,
    difficulty: 1n,
    hashrateHs: 1n,
    feesPerBlockSats: 0n,
    fastestFeeSatPerVb: 1,
    halfHourFeeSatPerVb: 1,
    hourFeeSatPerVb: 1,
  };
  const write = (subsidySats: bigint) =>
    db.insert(networkFigures).values({ ...figures, subsidySats });
  await expect(write(5_000_000_000n)).rejects.toMatchObject({
    cause: { constraint: "subsidies_follow_from_the_height" },
  });
  await write(312_500_000n);
});

test("what a demo's exchanges invented never enters another database", async () => {
  await createTestPrice(db, { ...btc, observedAt: hoursAgo(2), simulated: true });
  await requireSameInstallation(db, { network: "regtest", demo: false }, now);
  await expect(
    createTestPrice(db, { ...btc, observedAt: hoursAgo(3), simulated: true }),
  ).rejects.toMatchObject({ cause: { constraint: "simulated_figures_stay_in_demos" } });
  for (const table of ["market_prices", "network_figures"]) {
    await expect(owner.query(`update ${table} set simulated = true`), table).rejects.toThrow(
      "for demos alone",
    );
  }
});
