import { expect, test } from "vitest";
import { expectedResult, purchaseOf } from "#core/mining/expected-result.ts";
import { findProjectedStart } from "#server/markets/find-projected-start.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestFleet, createTestNetwork, createTestPlan } from "#tests/factories/mining.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { expectResult } from "./expect-result.ts";
import { findOfferedVersion } from "./list-offered-plans.ts";

const { db } = await testDatabase();
const asked = new Date("2026-11-20T23:50:00Z");
const price = (observedAt: Date) =>
  createTestPrice(db, { asset: "BTC", usdE8: 10_000_000_000_000n, observedAt });

await createTestFleet(db, { ghs: 1_000_000n, from: "2026-11-10" });
const { versionId } = await createTestPlan(db, { now: new Date("2026-11-10T10:00:00Z") });
await createTestNetwork(db, "2026-11-20");

async function expectAt(now: Date) {
  const plan = await findOfferedVersion(db, versionId, { now });
  if (!plan) throw new Error("it is offered");
  const bought = { plan, quantity: 60, startsOn: "2026-11-23", now };
  const said = await db.transaction((tx) => expectResult(tx, bought));
  return { plan, said };
}

test("the letter says what the page said where it was decided on", async () => {
  const now = new Date(asked.getTime() + 3_600_000);
  await price(now);
  const { plan, said } = await expectAt(now);
  const start = await findProjectedStart(db, now);
  if (!start) throw new Error("price and network are fresh");
  const { earnsADay, worst, best } = expectedResult(purchaseOf(plan, 60, "2026-11-23"), start);
  // 60 TH/s at $0.03 a day each, and 4,191 satoshi a day for 100 TH/s.
  expect(said).toEqual({
    dailyFeeUsdMicros: 1_800_000n,
    dailyFeeSats: 1_800n,
    expected: {
      minedSatsPerDay: 2_515n,
      minedUsdMicrosPerDay: earnsADay,
      worstUsdMicros: worst,
      bestUsdMicros: best,
    },
  });
  expect(earnsADay).toBe(2_515_000n);
});

test("figures of the network that are older than a day are no ground for a result, a fresh price is for the fee", async () => {
  const now = new Date(asked.getTime() + 24 * 3_600_000 + 1);
  expect((await expectAt(now)).said).toEqual({
    dailyFeeUsdMicros: 1_800_000n,
    dailyFeeSats: null,
    expected: null,
  });
  await price(now);
  expect((await expectAt(now)).said).toEqual({
    dailyFeeUsdMicros: 1_800_000n,
    dailyFeeSats: 1_800n,
    expected: null,
  });
});
