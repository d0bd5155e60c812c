import { expect, test } from "vitest";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { verifyLedger } from "#server/ledger/verify/verify-ledger.ts";
import { correctTestPayout } from "#tests/factories/mining.ts";
import { createMiningSite, houseUnits, nightAfter } from "#tests/factories/mining-site.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findMiningTotals } from "../contracts/find-totals.ts";
import { listContractsWithTotals } from "../contracts/list-contracts-with-totals.ts";
import { findReceipt } from "../receipts/find-receipt.ts";
import { verifyMining } from "../verify-mining.ts";
import { findRun } from "./find-run.ts";
import { postCorrections } from "./post-corrections.ts";

const { db, owner } = await testDatabase();
const day = "2026-03-01";
const site = await createMiningSite(db, { firstDay: day, maintenanceUsdMicros: 0n });
const rich = await site.customer({ quantity: 3 });
const poor = await site.customer({ quantity: 2 });
await site.run(day, 1_000n, 10_000n);
const now = nightAfter("2026-03-02");
const firstEquity = await houseUnits(owner, "operator_equity");
let payout = site.payouts.get(day) ?? "";

const receipt = async (contractId: string) => {
  const found = await findReceipt(db, { contractId, day });
  if (!found) throw new Error("there is a receipt");
  return found;
};

test("more than was said is credited to each contract, once, and stands on its receipt", async () => {
  expect([await rich.balance(), await poor.balance()]).toEqual([300n, 200n]);
  payout = await correctTestPayout(db, payout, { units: 1_111n, now });
  expect(await postCorrections(db, now)).toEqual({ posted: 1 });
  expect(await postCorrections(db, now)).toEqual({ posted: 0 });
  expect([await rich.balance(), await poor.balance()]).toEqual([333n, 222n]);
  const { creditSats, corrections } = await receipt(rich.contractId);
  expect(creditSats).toBe(300n);
  expect(corrections).toMatchObject([
    { creditSats: 333n, changeSats: 33n, distributableSats: 1_111n, sharedGhs: 10_000n },
  ]);
  expect(await houseUnits(owner, "pool_receivable")).toBe(0n);
});

test("less is taken back as far as it is there; the rest is the operator's loss", async () => {
  const spent = { available: -200n, conversion: 200n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: poor.id, moves: spent }));
  const equity = await houseUnits(owner, "operator_equity");
  payout = await correctTestPayout(db, payout, { units: 500n, now });
  await postCorrections(db, now);
  // 333 and 222 become 150 and 100: of the 122 of the second, only 22 are there.
  expect([await rich.balance(), await poor.balance()]).toEqual([150n, 0n]);
  const run = await findRun(db, day);
  expect(run).toMatchObject({ corrections: 2, customersChangeSats: 55n - 305n, lostSats: 100n });
  expect(await houseUnits(owner, "pool_receivable")).toBe(0n);
  // What the operator's half lost, and the hundred.
  expect(await houseUnits(owner, "operator_equity")).toBe(equity - 306n - 100n);
  expect((await findMiningTotals(db, rich.id)).profitUsdMicros).toBe(150_000n);
  expect((await findMiningTotals(db, poor.id)).profitUsdMicros).toBe(200_000n);
  const [contract] = await listContractsWithTotals(db, rich.id);
  expect(contract).toMatchObject({ creditedSats: 150n, creditedUsdMicros: 150_000n });
});

test("another hashrate changes how a day is shared, and nothing at all is possible too", async () => {
  payout = await correctTestPayout(db, payout, { units: 500n, deliveredGhs: 5_000n, now });
  await postCorrections(db, now);
  expect(await rich.balance()).toBe(300n);
  payout = await correctTestPayout(db, payout, { units: 0n, now });
  await postCorrections(db, now);
  expect(await rich.balance()).toBe(0n);
  expect((await receipt(rich.contractId)).corrections.at(-1)?.creditSats).toBe(0n);
  expect(await houseUnits(owner, "pool_receivable")).toBe(0n);
});

test("what could not be reversed is not credited again when a payout is corrected back", async () => {
  payout = await correctTestPayout(db, payout, { units: 1_000n, deliveredGhs: 10_000n, now });
  await postCorrections(db, now);
  // The second has spent the 200 of this day already: they were the operator's loss, which is made good.
  expect([await rich.balance(), await poor.balance()]).toEqual([300n, 0n]);
  expect(await houseUnits(owner, "operator_equity")).toBe(firstEquity);
  expect(await findRun(db, day)).toMatchObject({ customersChangeSats: 0n, lostSats: 0n });
  payout = await correctTestPayout(db, payout, { units: 1_200n, now });
  await postCorrections(db, now);
  expect([await rich.balance(), await poor.balance()]).toEqual([360n, 40n]);
  expect((await findMiningTotals(db, poor.id)).profitUsdMicros).toBe(240_000n);
  expect(await houseUnits(owner, "pool_receivable")).toBe(0n);
});

test("a correction before its day is worked out is simply its evidence", async () => {
  await site.pay("2026-03-02", 1_000n, 10_000n);
  await correctTestPayout(db, site.payouts.get("2026-03-02") ?? "", { units: 100n, now });
  expect(await postCorrections(db, now)).toEqual({ posted: 0 });
  const { postMiningDay } = await import("./post-mining-day.ts");
  await postMiningDay(db, "2026-03-02", now);
  expect((await findRun(db, "2026-03-02"))?.payoutSats).toBe(100n);
  expect(await postCorrections(db, now)).toEqual({ posted: 0 });
});

test("ledger and runs are found again from what they rest on", async () => {
  expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
  expect((await verifyMining(db)).filter(({ holds }) => !holds)).toEqual([]);
});

test("what an erased account would get more is the operator's, since nobody can claim it", async () => {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, {
    firstDay: day,
    maintenanceUsdMicros: 0n,
    termDays: 1,
  });
  const gone = await site.customer();
  await site.run(day, 1_000n, 1_000n);
  const spent = { available: -1_000n, conversion: 1_000n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: gone.id, moves: spent }));
  await owner.query("update customers set closed_at = $2, erased_at = $2 where id = $1", [
    ...[gone.id, now],
  ]);
  let payout = site.payouts.get(day) ?? "";
  for (const units of [1_500n, 1_200n, 900n, 1_300n]) {
    payout = await correctTestPayout(db, payout, { units, now });
    await postCorrections(db, now);
    expect(await gone.balance()).toBe(0n);
    expect(await houseUnits(owner, "operator_equity")).toBe(units - 1_000n);
    expect(await houseUnits(owner, "pool_receivable")).toBe(0n);
  }
  expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
  expect((await verifyMining(db)).filter(({ holds }) => !holds)).toEqual([]);
});
