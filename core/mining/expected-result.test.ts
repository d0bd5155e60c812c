import { expect, test } from "vitest";
import { expectedResult, purchaseOf } from "./expected-result.ts";
import { projectScenarios } from "./project-plan.ts";

/** 1 TH/s for 30 days. */
const plan = {
  unitGhs: 1_000n,
  termDays: 30,
  priceUsdCents: 180n,
  maintenanceTodayUsdMicros: 52_000n,
  announced: [{ effectiveFrom: "2026-11-26", usdMicros: 60_000n }],
};
const start = {
  btcUsdE8: 10_000_000_000_000n,
  difficulty: 150_000_000_000_000n,
  height: 900_000,
  feesPerBlockSats: 0n,
};

test("sixty units cost and earn a day what sixty times their hashrate does", () => {
  const purchase = purchaseOf(plan, 60, "2026-11-25");
  expect(purchase).toMatchObject({ ghs: 60_000n, priceUsdCents: 10_800n });
  expect(purchase.maintenanceChanges).toEqual([{ fromDay: 1, usdMicros: 60_000n }]);
  const result = expectedResult(purchase, start);
  expect(result.costsADay).toBe(60n * 52_000n);
  // 4,191 satoshi a day for 100 TH/s at $100,000.
  expect(result.earnsADay).toBe(2_515_000n);
});

test("worst and best are those of the plans' page, and each loss is counted", () => {
  const purchase = purchaseOf(plan, 60, "2026-11-25");
  const nets = projectScenarios(purchase, start).map(({ projection }) => projection.netUsdMicros);
  const result = expectedResult(purchase, start);
  expect([result.worst, result.best]).toEqual([nets[0], nets.at(-1)]);
  expect(result.losing).toBe(nets.filter((net) => net < 0n).length);
  expect(result.scenarios).toBe(nets.length);
});

test("a change that is in force when the contract starts is charged from its first day", () => {
  const { maintenanceChanges } = purchaseOf(plan, 1, "2026-12-24");
  expect(maintenanceChanges).toEqual([{ fromDay: 0, usdMicros: 60_000n }]);
});
