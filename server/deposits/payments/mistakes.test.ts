import { expect, test } from "vitest";
import { utcDay } from "#core/utc-day.ts";
import { coinOfNobody, openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { buyTestContract, createTestBuyer, offerTestPlan } from "#tests/factories/contract.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { approveTestDeposit, createTestDeposit, randomTxid } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestFleet } from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import {
  aRequest,
  confirmToken,
  createApprovedWithdrawal,
  createBitcoinPrice,
  createWithdrawer,
  nobodysBrowser,
} from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { recordPayments } from "../../chain/record-payments.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { postTransfer } from "../../ledger/post-transfer.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { openLog } from "../../platform/log/log.ts";
import { verifyBooks } from "../../verify-books.ts";
import { listDue } from "../../withdrawals/batches/form-batch.ts";
import { confirmWithdrawal } from "../../withdrawals/confirm-withdrawal.ts";
import { approveWithdrawal, rejectWithdrawal } from "../../withdrawals/decide-withdrawal.ts";
import { requestWithdrawal } from "../../withdrawals/request-withdrawal.ts";
import { findDeposit } from "../find-deposit.ts";
import { listOpenResolutions, listResolutionsOfDeposit } from "./list-resolutions.ts";
import { decidePaymentResolution, proposeMistake } from "./resolve-payments.ts";
import { settlePayments } from "./settle-payments.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const config = { ...readConfig({ AUTH_SECRET: "x".repeat(40) }), network: "regtest" as const };
const log = openLog("silent");
const [grace, amir] = [await createTestOperator(db), await createTestOperator(db)];
const now = new Date();
const reason = "The transaction brought 0.0065 BTC.";

const settle = () => settlePayments({ db, config, log }, now);
const balance = async (id: string) => (await getBalances(db, id)).BTC;

async function approved(wanted: {
  quantityUnits: bigint;
  txid?: string;
  claimedUsdCents?: bigint;
  usdCents?: bigint;
}) {
  const { id: customerId } = await createTestCustomer(db);
  const approval = { customerId, approvedBy: grace, ...wanted };
  return { customerId, ...(await createTestDeposit(product, approval)) };
}

async function propose(depositId: string): Promise<string> {
  await proposeMistake(db, grace, { depositId, reason }, now);
  const [resolution] = await listResolutionsOfDeposit(db, depositId);
  return resolution?.id ?? "";
}

const decide = (resolutionId: string, into: "confirmed" | "declined" = "confirmed", by = amir) =>
  decidePaymentResolution(db, by, { resolutionId, into }, now);

async function wrong() {
  const claims = await verifyBooks(db);
  // The conversions of this file stand for what customers use.
  return claims.filter(({ holds, detail }) => !holds && !detail.endsWith("conversion"));
}

test("a wrong amount is taken back whole by two people, and its transaction approved again", async () => {
  const { depositId, customerId, txid } = await approved({ quantityUnits: 6_500_000n });
  const resolutionId = await propose(depositId);
  expect(await listOpenResolutions(db, 10)).toMatchObject([
    {
      id: resolutionId,
      says: "mistaken",
      depositId,
      paymentId: null,
      units: 6_500_000n,
      asset: "BTC",
    },
  ]);
  await expect(propose(depositId)).rejects.toThrow("deposits/resolved-already");
  await expect(decide(resolutionId, "confirmed", grace)).rejects.toThrow("deposits/own-resolution");
  await settle();
  expect((await balance(customerId)).available).toBe(6_500_000n);
  await decide(resolutionId);
  await decide(resolutionId);
  await Promise.all([settle(), settle()]);
  expect(await balance(customerId)).toEqual({ available: 0n, held: 0n });
  expect(await findDeposit(db, customerId, depositId)).toMatchObject({
    state: "reversed",
    status: "Reversed",
    mistake: reason,
  });
  const { rows: told } = await owner.query(
    `select (payload->>'notice')::json as notice from graphile_worker._private_jobs
      where payload->>'customerId' = $1 and payload->>'notice' like '%deposit-reversed%'`,
    [customerId],
  );
  expect(told).toMatchObject([{ notice: { because: "mistake", reason, txid } }]);
  const { rows: memos } = await owner.query(
    "select memo from ledger_transfers where kind = 'reversal' and owner_id = $1",
    [customerId],
  );
  expect(memos).toEqual([{ memo: `The deposit with transaction ${txid} was approved by mistake` }]);

  // Declared again, with the figures of the same transaction; now for good.
  const again = await createTestDeposit(product, { customerId });
  await approveTestDeposit(db, again, {
    customerId,
    approvedBy: grace,
    quantityUnits: 650_000n,
    txid,
  });
  expect((await balance(customerId)).available).toBe(650_000n);
  await expect(propose(depositId)).rejects.toThrow();
  expect(await wrong()).toEqual([]);
});

test("an approval that corrected the dollars is taken back as any other, wherever its coins are", async () => {
  const corrected = { quantityUnits: 50_000n, claimedUsdCents: 100_000n, usdCents: 99_950n };
  const whole = await approved(corrected);
  const used = await approved(corrected);
  const spend = { available: -30_000n, conversion: 30_000n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: used.customerId, moves: spend }));
  for (const { depositId } of [whole, used]) await decide(await propose(depositId));
  await settle();
  const stateOf = async (of: typeof whole) =>
    (await findDeposit(db, of.customerId, of.depositId))?.state;
  expect([await stateOf(whole), await stateOf(used)]).toEqual(["reversed", "orphaned"]);
  expect(await balance(used.customerId)).toEqual({ available: 0n, held: 20_000n });
});

test("what was used is taken from what arrives, and no balance falls below zero", async () => {
  const { depositId, customerId, txid } = await approved({ quantityUnits: 50_000n });
  const spend = { available: -30_000n, conversion: 30_000n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: customerId, moves: spend }));
  await decide(await propose(depositId));
  await settle();
  expect(await balance(customerId)).toEqual({ available: 0n, held: 20_000n });
  expect(await findDeposit(db, customerId, depositId)).toMatchObject({ state: "orphaned" });
  const other = await createTestDeposit(product, { customerId });
  await expect(
    approveTestDeposit(db, other, { customerId, approvedBy: grace, quantityUnits: 5_000n, txid }),
  ).rejects.toThrow("deposits/payment-already-credited");
  await approveTestDeposit(db, other, {
    customerId,
    approvedBy: grace,
    quantityUnits: 45_000n,
  });
  await settle();
  expect(await balance(customerId)).toEqual({ available: 15_000n, held: 0n });
  expect(await findDeposit(db, customerId, depositId)).toMatchObject({ state: "reversed" });
  expect(await wrong()).toEqual([]);
});

test("a slip approved for the wrong customer gives way to whom the chain shows", async () => {
  const key = await openTestWallet(db, grace);
  const { id: ada } = await createTestCustomer(db);
  const address = await testAddress(db, key, ada);
  await createTestPrice(db, { asset: "BTC", usdE8: 100_000n * 10n ** 8n, observedAt: now });
  const block = { height: 900, hash: "ab".repeat(32), time: now };
  await owner.query(
    `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
     values ('bitcoin', 1, 1100, $1, $2, $2)`,
    ["cd".repeat(32), now],
  );
  await owner.query("insert into chain_blocks (chain, height, hash) values ('bitcoin', 900, $1)", [
    block.hash,
  ]);
  await owner.query(
    "insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', 'following', '', $1, $1)",
    [now],
  );
  // Approved before the payment was seen.
  const txid = randomTxid("Bitcoin");
  const bob = await approved({ quantityUnits: 7_000n, txid });
  const what = { txid, outputIndex: 0, asset: "BTC" as const, address, units: 7_000n };
  const found = {
    ...what,
    coinbase: false,
    raw: new Uint8Array(1),
    spends: [coinOfNobody],
  };
  await db.transaction((tx) => recordPayments(tx, "bitcoin", [found], block, now));
  await settle();
  expect((await balance(ada)).available).toBe(0n);
  await decide(await propose(bob.depositId));
  await settle();
  expect((await balance(bob.customerId)).available).toBe(0n);
  await settle();
  expect((await balance(ada)).available).toBe(7_000n);

  // And the right one, but another amount than arrived.
  const early = randomTxid("Bitcoin");
  const mine = await createTestDeposit(product, {
    customerId: ada,
    approvedBy: grace,
    quantityUnits: 90_000n,
    txid: early,
  });
  const less = { ...found, txid: early, units: 9_000n };
  await db.transaction((tx) => recordPayments(tx, "bitcoin", [less], block, now));
  await settle();
  expect((await balance(ada)).available).toBe(97_000n);
  await decide(await propose(mine.depositId));
  await settle();
  await settle();
  expect((await balance(ada)).available).toBe(16_000n);
  expect(await wrong()).toEqual([]);
});

test("is about approvals by staff, said by two people, and a declined one changes nothing", async () => {
  const { depositId, customerId } = await approved({ quantityUnits: 1_000n });
  await decide(await propose(depositId), "declined");
  const { depositId: pending } = await createTestDeposit(product, { customerId });
  await expect(propose(pending)).rejects.toThrow("deposits/not-approved-by-staff");
  await expect(proposeMistake(db, grace, { depositId, reason: " " }, now)).rejects.toThrow(
    "deposits/reason-missing",
  );
  const resolutionId = await propose(depositId);
  for (const set of [
    `resolution_id = '${resolutionId}'`,
    "state = 'orphaned', orphaned_at = now()",
    `resolution_id = '${resolutionId}', state = 'orphaned', orphaned_at = now()`,
  ]) {
    await expect(
      owner.query(`update deposits set ${set} where id = $1`, [depositId]),
    ).rejects.toThrow(/two people|has been reviewed/);
  }
  await settle();
  expect((await balance(customerId)).available).toBe(1_000n);
});

test("what is credited by mistake does not leave: withdrawals of its coin wait, and what a rejected one held is taken", async () => {
  const before = new Date(now.getTime() - 30 * 3_600_000);
  await createBitcoinPrice(db, new Date(now.getTime() - 1_000));
  const inThreeDays = new Date(now.getTime() + 72 * 3_600_000);
  const customer = await createWithdrawer(db, { now: before, units: 140_000n });
  const approval = { customerId: customer.id, approvedBy: grace, quantityUnits: 650_000n };
  const { depositId } = await createTestDeposit(product, approval);
  const asked = { customer, operator: amir, now };
  const approvedId = await createApprovedWithdrawal(db, { ...asked, amount: 500_000n });
  const confirm = async () =>
    confirmWithdrawal(
      db,
      { token: await confirmToken(db, customer.id), browser: nobodysBrowser },
      now,
    );
  const toApprove = await requestWithdrawal(db, aRequest(customer, { amount: 100_000n }), now);
  await confirm();
  await requestWithdrawal(db, aRequest(customer, { amount: 100_000n }), now);
  const due = async () => (await listDue(db, "bitcoin", { now: inThreeDays })).map(({ id }) => id);
  expect(await due()).toContain(approvedId);
  await decide(await propose(depositId));
  const refused = (done: Promise<unknown>) =>
    expect(done).rejects.toThrow("withdrawals/credit-taken-back");
  // As soon as two people said so, and after what is there has been put aside.
  for (const step of ["said", "put aside"]) {
    if (step === "put aside") await settle();
    expect(await due()).not.toContain(approvedId);
    await refused(approveWithdrawal(db, amir, toApprove.withdrawalId, now));
    await refused(confirm());
  }
  await creditTestDeposit(db, customer.id, 100_000n);
  await refused(requestWithdrawal(db, aRequest(customer, { amount: 100_000n }), now));
  expect(await findDeposit(db, customer.id, depositId)).toMatchObject({ state: "orphaned" });
  const because = { withdrawalId: approvedId, reason: "It holds what was credited by mistake" };
  await rejectWithdrawal(db, amir, because, now);
  await settle();
  expect(await findDeposit(db, customer.id, depositId)).toMatchObject({ state: "reversed" });
  expect(await balance(customer.id)).toEqual({ available: 40_000n, held: 200_000n });
  // What he has besides is his.
  await approveWithdrawal(db, amir, toApprove.withdrawalId, now);
  await confirm();
});

test("what is credited by mistake does not become a contract, before it is put aside nor with what arrives after", async () => {
  await createTestFleet(db, { ghs: 10_000n, from: utcDay(now) });
  const { planVersionId } = await offerTestPlan(db);
  const buyer = await createTestBuyer(db, { sats: 0n });
  const approval = { customerId: buyer.id, approvedBy: grace, quantityUnits: 650_000n };
  const { depositId } = await createTestDeposit(product, approval);
  const buy = () => buyTestContract(db, { customerId: buyer.id, planVersionId, now });
  await buy();
  await decide(await propose(depositId));
  await expect(buy()).rejects.toThrow("contracts/credit-taken-back");
  await settle();
  await creditTestDeposit(db, buyer.id, 100_000n);
  await expect(buy()).rejects.toThrow("contracts/credit-taken-back");
  // Once nothing is left to be taken back, what he has is his.
  await settle();
  expect(await findDeposit(db, buyer.id, depositId)).toMatchObject({ state: "reversed" });
  await buy();
});
