import { expect, test } from "vitest";
import { recomputeReceipt } from "#core/mining/recompute-receipt.ts";
import { listContractsWithTotals } from "#server/mining/contracts/list-contracts-with-totals.ts";
import { findRun } from "#server/mining/days/find-run.ts";
import { openMiningDay } from "#server/mining/days/open-mining-day.ts";
import { postAutomatically } from "#server/mining/days/post-automatically.ts";
import { postMiningDay } from "#server/mining/days/post-mining-day.ts";
import { previewMiningDay } from "#server/mining/days/preview-mining-day.ts";
import { findReceipt } from "#server/mining/receipts/find-receipt.ts";
import { verifyMining } from "#server/mining/verify-mining.ts";
import { stopPool } from "#server/payouts/stop-pool.ts";
import { correctTestPayout, createTestPriceOfDay } from "#tests/factories/mining.ts";
import { createMiningSite, nightAfter } from "#tests/factories/mining-site.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { addPoolAsOperator } from "./add-pool-as-operator.ts";
import { listEndingContracts } from "./list-ending-contracts.ts";
import { listMiningDays } from "./list-mining-days.ts";
import { markOfDay, postDayAsOperator } from "./post-day-as-operator.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);
const site = await createMiningSite(db, { firstDay: "2026-03-01", maintenanceUsdMicros: 0n });
const customer = await site.customer();

async function count(table: string, where: string): Promise<number> {
  const { rows } = await owner.query(`select count(*)::int from ${table} where ${where}`);
  return rows[0].count;
}
/** As its page does, which shows the preview. */
async function post(day: string, now: Date) {
  const seen = markOfDay(await previewMiningDay(db, day, now));
  return postDayAsOperator(db, grace, { day, seen }, now);
}
const jobs = () => count("graphile_worker._private_jobs", "key like 'mining-day:%'");

test("a day is frozen by the act and posted by a job, once however often it is asked for", async () => {
  const day = "2026-03-01";
  const now = nightAfter(day);
  const empty = markOfDay(await previewMiningDay(db, day, now));
  await site.pay(day, 100n, 20_000n);
  const tenfold = markOfDay(await previewMiningDay(db, day, now));
  // The same coins for another hashrate are another credit.
  const corrected = { units: 100n, deliveredGhs: 2_000n, now };
  await correctTestPayout(db, site.payouts.get(day) ?? "", corrected);
  for (const seen of [empty, tenfold]) {
    await expect(postDayAsOperator(db, grace, { day, seen }, now)).rejects.toThrow(
      "mining/day-changed",
    );
  }
  expect(await findRun(db, day)).toBeNull();
  await Promise.allSettled([1, 2, 3].map(() => post(day, now)));
  await post(day, now);
  expect(await findRun(db, day)).toMatchObject({
    state: "posting",
    creditedSats: 0n,
    progress: { done: 0, all: 1 },
  });
  expect(await jobs()).toBe(1);
  expect(await count("audit_log", "act = 'mining/post-day'")).toBe(1);
  // As the job does, and again as a second one would.
  expect(await postMiningDay(db, day, now)).toEqual({ posted: true });
  expect(await postMiningDay(db, day, now)).toEqual({ posted: false });
  await post(day, now);
  expect(await findRun(db, day)).toMatchObject({
    state: "posted",
    creditedSats: 50n,
    progress: { done: 1, all: 1 },
  });
  expect(await customer.balance()).toBe(50n);
});

test("a day on which no pool counts waits for a person, credits nothing, and its receipt says so", async () => {
  const day = "2026-03-02";
  const now = nightAfter(day);
  const { poolId } = site;
  await stopPool(db, grace, { poolId, countsUntil: "2026-03-01", reason: "Left" }, now);
  await createTestPriceOfDay(db, day);
  expect(await postAutomatically(db, now)).toEqual([]);
  await expect(
    db.transaction((tx) => openMiningDay(tx, day, { now, actionId: null })),
  ).rejects.toMatchObject({ code: "mining/evidence-incomplete" });
  expect(await previewMiningDay(db, day, now)).toMatchObject({
    state: "ready",
    isWithoutPool: true,
    stops: ["no-pool"],
    creditSats: 0n,
  });
  const { days, next } = await listMiningDays(db, { days: 5, now });
  expect(next).toBe(day);
  expect(days[0]).toMatchObject({ day, pools: 0, complete: false });

  await post(day, now);
  await postMiningDay(db, day, now);
  expect(await findRun(db, day)).toMatchObject({
    state: "posted",
    payoutSats: 0n,
    servedPpm: 0n,
    creditedSats: 0n,
    evidence: [],
  });
  expect(await customer.balance()).toBe(50n);
  const receipt = await findReceipt(db, { contractId: customer.contractId, day });
  expect(receipt).toMatchObject({ creditSats: 0n, evidence: [], deliveredGhs: 0n });
  if (!receipt) throw new Error("there is a receipt");
  expect(recomputeReceipt(receipt).filter(({ agrees }) => !agrees)).toEqual([]);
  const [contract] = await listContractsWithTotals(db, customer.id);
  expect(contract).toMatchObject({ servedDays: 1, projectedLastDay: "2026-03-31" });
  const ending = (until: string) => listEndingContracts(db, { until, limit: 9 });
  expect(await ending("2026-03-30")).toEqual([]);
  expect(await ending("2026-03-31")).toMatchObject([
    { plannedLastDay: "2026-03-30", lastDay: "2026-03-31" },
  ]);
  expect((await verifyMining(db)).filter(({ holds }) => !holds)).toEqual([]);
  const late = { poolId: crypto.randomUUID(), name: "Late", format: "other", countsFrom: day };
  await expect(addPoolAsOperator(db, grace, late as never, now)).rejects.toMatchObject({
    code: "payouts/pool-begins-too-early",
  });
});
