import { afterAll, beforeEach, expect, test } from "vitest";
import { testMarket } from "#tests/factories/market.ts";
import { startFakeExchange } from "#tests/fakes/exchange.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findNetworkFigures } from "./find-network-figures.ts";
import { askForNetworkFigures, pollNetwork } from "./poll-network.ts";

const { db, owner } = await testDatabase();
const exchange = await startFakeExchange();
afterAll(() => exchange.stop());
const market = testMarket(db, exchange);
const noon = new Date("2025-03-01T12:00:00Z");
const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

beforeEach(async () => {
  exchange.set("mempool");
  exchange.setHeight(930_000);
  exchange.asked.length = 0;
  market.lines.length = 0;
  await owner.query("truncate network_figures, market_sources, market_rounds");
});

test("keeps difficulty, hashrate, fees, and the subsidy that the next height brings", async () => {
  await askForNetworkFigures(market, noon);
  expect(await findNetworkFigures(db, after(5))).toMatchObject({
    height: 930_000,
    difficulty: 120_000_000_000_000n,
    subsidySats: 312_500_000n,
    feesPerBlockSats: 2_083_334n,
    fastestFeeSatPerVb: 6,
    host: new URL(exchange.url).host,
    simulated: false,
    ageMs: 300_000,
  });
  exchange.setHeight(1_049_999);
  await askForNetworkFigures(market, after(10));
  expect((await findNetworkFigures(db, after(10)))?.subsidySats).toBe(156_250_000n);
});

test.each([
  ["a height long past", { height: 900_000 }],
  ["no height", { height: -1 }],
  ["a height that is none", { height: 1.5 }],
  ["a hashrate that does not fit", { currentHashrate: 1e15 }],
  ["no difficulty", { currentDifficulty: 0 }],
  ["text for a figure", { currentDifficulty: "a lot" }],
  ["fees that no block ever paid", { totalFee: "9000000000000000" }],
  ["fee rates that are none", { fastestFee: 0 }],
])("keeps the last figures when told %s", async (_what, lie) => {
  await askForNetworkFigures(market, noon);
  exchange.set("mempool", {
    rewrite: ({ status, body }) => {
      if (typeof body === "number") return { status, body: "height" in lie ? lie.height : body };
      return { status, body: { ...(body as object), ...lie } };
    },
  });
  await askForNetworkFigures(market, after(10));
  await askForNetworkFigures(market, after(20));
  expect(await findNetworkFigures(db, after(20))).toMatchObject({
    height: 930_000,
    observedAt: noon,
  });
  expect(market.lines.map(({ msg }) => msg)).toEqual(["market source does not answer"]);
});

test("a height that was a lie is in nobody's way for longer than a day", async () => {
  exchange.setHeight(2_000_000);
  await askForNetworkFigures(market, noon);
  exchange.setHeight(930_000);
  await askForNetworkFigures(market, after(10));
  expect((await findNetworkFigures(db, after(10)))?.height).toBe(2_000_000);
  await askForNetworkFigures(market, after(25 * 60));
  expect((await findNetworkFigures(db, after(25 * 60)))?.height).toBe(930_000);
});

test.each([{ down: true }, { status: 429 }, { garbage: "<html>" }, { hanging: true }])(
  "lives with %o",
  async (misbehaviour) => {
    exchange.set("mempool", misbehaviour);
    await askForNetworkFigures(market, noon);
    expect(await findNetworkFigures(db, noon)).toBeNull();
    expect(market.lines).toHaveLength(1);
  },
);

test("of workers that begin together one asks, and nobody when it is switched off", async () => {
  await Promise.all([pollNetwork(market), pollNetwork(market)]);
  await pollNetwork(market);
  expect(exchange.askedOf("mempool")).toBe(4);
  await owner.query("truncate market_rounds");
  await pollNetwork({ ...market, config: { ...market.config, bitcoinNetworkUrl: null } });
  expect(exchange.askedOf("mempool")).toBe(4);
});
