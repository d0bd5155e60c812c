import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type Coin, coins } from "#core/asset.ts";
import { approveAdjustment } from "#server/adjustments/approve-adjustment.ts";
import { keepEvidence } from "#server/adjustments/keep-evidence.ts";
import { proposeAdjustment } from "#server/adjustments/propose-adjustment.ts";
import { listResolutionsOfDeposit } from "#server/deposits/payments/list-resolutions.ts";
import {
  decidePaymentResolution,
  proposeMistake,
} from "#server/deposits/payments/resolve-payments.ts";
import { settlePayments } from "#server/deposits/payments/settle-payments.ts";
import { listHouseBalances } from "#server/ledger/list-house-balances.ts";
import { confirmPayout } from "#server/payouts/confirm-payout.ts";
import { correctPayout } from "#server/payouts/correct-payout.ts";
import { readConfig } from "#server/platform/config/read-config.ts";
import { openLog } from "#server/platform/log/log.ts";
import { fundEquity, proposeGift, proposeTestReversal } from "#tests/factories/adjustment.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { notScanned, uniquePicture } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { listMovesSince } from "./list-moves-since.ts";

const { db } = await testDatabase();
const product = { db, files: testFiles() };
const tessa = await createTestOperator(db, { role: "treasurer" });
const amir = await createTestOperator(db, { role: "approver" });
const staff = { maker: tessa, checker: amir };
const ada = await createTestCustomer(db);
const ether = 10n ** 18n;
const config = { ...readConfig({ AUTH_SECRET: "x".repeat(40) }), network: "regtest" as const };

async function custody(): Promise<Record<Coin, bigint>> {
  const house = await listHouseBalances(db);
  const of = (coin: Coin) =>
    house.find(({ account, asset }) => account === "custody" && asset === coin)?.units ?? 0n;
  return { BTC: of("BTC"), ETH: of("ETH"), USDT: of("USDT") };
}

/** What custody is now, less what it was. */
async function changeSince(before: Record<Coin, bigint>) {
  const after = await custody();
  return Object.fromEntries(coins.map((coin) => [coin, after[coin] - before[coin]]));
}

const ofAll = (since: Date) => ({ BTC: since, ETH: since, USDT: since });

async function sumOfMoves(since: Date) {
  const moves = await listMovesSince(db, { since: ofAll(since), limit: 50 });
  const of = (coin: Coin) =>
    moves.reduce((sum, { asset, units }) => (asset === coin ? sum + units : sum), 0n);
  return { moves, sum: Object.fromEntries(coins.map((coin) => [coin, of(coin)])) };
}

/** Two people find that a deposit was approved by mistake, and the worker reverses its credit. */
async function reverse(depositId: string): Promise<void> {
  const now = new Date();
  await proposeMistake(db, tessa, { depositId, reason: "It never arrived." }, now);
  const [resolution] = await listResolutionsOfDeposit(db, depositId);
  const decision = { resolutionId: resolution?.id ?? "", into: "confirmed" as const };
  await decidePaymentResolution(db, amir, decision, now);
  await settlePayments({ db, config, log: openLog("silent") }, new Date());
}

async function drawUsdt(): Promise<string> {
  const file = { name: "invoice.png", bytes: await uniquePicture() };
  const keeper = { ...product, scanForViruses: notScanned };
  const { evidenceId } = await keepEvidence(keeper, tessa.id, file, new Date());
  const drawing = {
    submissionKey: randomUUID(),
    kind: "equity-drawing" as const,
    customerId: null,
    asset: "USDT" as const,
    units: 2_000_000n,
    feeUnits: 30_000n,
    evidenceId,
    reason: "Rent",
    note: "",
    txid: `0x${randomBytes(32).toString("hex")}`,
  };
  return (await proposeAdjustment(db, tessa, drawing, new Date())).adjustmentId;
}

test("each coin is told since it was counted itself, also where another one fills the list", async () => {
  const at = (minute: number) => new Date(`2026-03-02T10:${minute}:00Z`);
  await creditTestDeposit(db, ada.id, 5_000_000n, { now: at(20), asset: "USDT" });
  for (const minute of [21, 22]) await creditTestDeposit(db, ada.id, 70_000n, { now: at(minute) });
  const found = async (since: Record<Coin, Date>, limit = 50) =>
    (await listMovesSince(db, { since, limit }))
      .filter((move) => move.at <= at(30))
      .map(({ asset }) => asset);
  expect(await found(ofAll(at(10)))).toEqual(["BTC", "BTC", "USDT"]);
  expect(await found({ ...ofAll(at(10)), BTC: new Date() })).toEqual(["USDT"]);
  expect(await found({ ...ofAll(at(10)), BTC: new Date() }, 1)).toEqual(["USDT"]);
});

test("what moved since a moment adds up to what custody changed by", async () => {
  await fundEquity(product, staff, { units: 900_000n });
  const mistaken = await creditTestDeposit(db, ada.id, 40_000n);
  const undone = await fundEquity(product, staff, { units: 70_000n });
  const poolId = await createTestPool(db, amir);
  const day = "2026-01-02";
  const payoutId = await createTestPayout(db, tessa, { poolId, day, units: 50_000n });

  const since = new Date();
  const before = await custody();
  await new Promise((after) => setTimeout(after, 5));
  await creditTestDeposit(db, ada.id, 12_345n);
  await fundEquity(product, staff, { units: 3n * ether, asset: "ETH" });
  await fundEquity(product, staff, { units: 5_000_000n, asset: "USDT" });
  await approveAdjustment(db, amir, await drawUsdt(), new Date());
  await approveAdjustment(db, amir, await proposeTestReversal(product, tessa, undone), new Date());
  // Nothing leaves or comes in with a gift.
  const gift = await proposeGift(product, tessa, ada.id, { units: 1_000n });
  await approveAdjustment(db, amir, gift, new Date());
  const correction = {
    payoutId: randomUUID(),
    corrects: payoutId,
    units: 44_000n,
    deliveredGhs: 1n,
    txid: randomBytes(32).toString("hex"),
    statementId: null,
    reason: "Shares were stale",
  };
  await correctPayout(db, tessa, correction, new Date());
  await confirmPayout(db, amir, correction.payoutId, new Date());
  await reverse(mistaken.depositId);

  const { moves, sum } = await sumOfMoves(since);
  expect(sum).toEqual(await changeSince(before));
  expect(moves.map(({ what }) => what).sort()).toEqual([
    ...["deposit", "deposit-reversal", "equity-drawing", "equity-drawing", "equity-funding"],
    ...["equity-funding", "payout-correction", "reversal"],
  ]);
});
