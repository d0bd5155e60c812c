import { expect, test } from "vitest";
import { getBalances } from "#server/ledger/get-balances.ts";
import { getTrialBalance } from "#server/ledger/get-trial-balance.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import {
  createTestContract,
  createTestFleet,
  createTestNetwork,
  createTestPlan,
  createTestPool,
  createTestPriceOfDay,
  dayAfter,
  recordTestPayout,
} from "#tests/factories/mining.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findMiningTotals } from "../contracts/find-totals.ts";
import { listContractsWithTotals } from "../contracts/list-contracts-with-totals.ts";
import { listClocks } from "../grace-periods/list-clocks.ts";
import { findReceipt } from "../receipts/find-receipt.ts";
import { listContractDays } from "../receipts/list-contract-days.ts";
import { findRun } from "./find-run.ts";
import { listCustomerDays } from "./list-customer-days.ts";
import { listRuns } from "./list-runs.ts";
import { postMiningDay } from "./post-mining-day.ts";
import { previewMiningDay } from "./preview-mining-day.ts";

const { db } = await testDatabase();
const bought = new Date("2026-01-04T10:00:00Z");
const first = "2026-01-05";
const after = (day: string) => new Date(`${dayAfter(day, 1)}T02:00:00Z`);

test("a day is credited once, to the satoshi, and every figure of it is found again", async () => {
  await createTestFleet(db, { ghs: 100_000n, from: "2026-01-01" });
  const { versionId } = await createTestPlan(db, { now: bought });
  const ada = await createTestCustomer(db);
  const bob = await createTestCustomer(db);
  const large = await createTestContract(db, {
    customerId: ada.id,
    versionId,
    quantity: 3,
    now: bought,
  });
  await createTestContract(db, {
    customerId: ada.id,
    versionId,
    quantity: 2,
    now: new Date(bought.getTime() + 1000),
  });
  await createTestContract(db, {
    customerId: bob.id,
    versionId,
    coin: "USDT",
    now: bought,
  });
  const poolId = await createTestPool(db, { from: first });
  for (const nth of [0, 1, 2]) {
    const day = dayAfter(first, nth);
    await createTestPriceOfDay(db, day);
    await createTestNetwork(db, day);
    await recordTestPayout(db, {
      poolId,
      day,
      units: 1_000n + BigInt(nth),
      deliveredGhs: 7_000n,
    });
    const preview = await previewMiningDay(db, day, after(day));
    expect(preview).toMatchObject({ state: "ready", contracts: 3, feesDueSats: 180n });
    expect(await postMiningDay(db, day, after(day))).toEqual({ posted: true });
    expect(await postMiningDay(db, day, after(day))).toEqual({ posted: false });
    const run = await findRun(db, day);
    expect(run?.creditedSats).toBe(preview.creditSats);
    expect(run?.operatorShareSats).toBe(preview.operatorShareSats);
    expect(run?.remainderSats).toBe(preview.remainderSats);
  }
  expect((await getBalances(db, ada.id)).BTC.available).toBe(1_288n + 857n - 270n - 180n);
  expect((await findMiningTotals(db, ada.id)).profitUsdMicros).toBe(
    (1_288n + 857n - 270n - 180n) * 1_000n,
  );
  const totals = await listContractsWithTotals(db, ada.id);
  expect(totals.at(-1)).toMatchObject({
    contractId: large.contractId,
    creditedSats: 1_288n,
    feesSats: 270n,
    servedDays: 3,
    projectedLastDay: large.plannedLastDay,
    unpaidSats: 0n,
  });
  const receipt = await findReceipt(db, { contractId: large.contractId, day: first });
  expect(receipt).toMatchObject({ creditSats: 428n, feeSats: 90n, feeState: "paid" });
  expect(receipt?.evidence).toHaveLength(1);
  const other = { contractId: large.contractId, day: first, customerId: bob.id };
  expect(await findReceipt(db, other)).toBe(null);
  expect(await listContractDays(db, large.contractId, { limit: 2 })).toHaveLength(2);
  const days = await listCustomerDays(db, ada.id, { from: first, to: dayAfter(first, 9) });
  expect(days.map(({ creditSats }) => creditSats)).toEqual([713n, 716n, 716n]);
  expect(await listRuns(db, { limit: 10 })).toHaveLength(3);
  expect(await listClocks(db, { now: after(dayAfter(first, 2)) })).toEqual([]);
  expect((await getTrialBalance(db)).BTC.sum).toBe(0n);
});
