import { describe, expect, test } from "vitest";
import type { DepositMethod } from "#core/payments/deposit.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, randomTxid } from "#tests/factories/deposit.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { approveAsOperator } from "./approve-as-operator.ts";
import { previewApproval } from "./preview-approval.ts";
import { readSlipAsOperator } from "./read-slip-as-operator.ts";
import { rejectAsOperator } from "./reject-as-operator.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const alan = await createTestOperator(db, { firstName: "Alan", lastName: "Turing" });
const now = new Date("2026-11-21T23:30:00Z");

async function waiting(method: DepositMethod = "Bitcoin") {
  const { id: customerId } = await createTestCustomer(db);
  const claimedUsdCents = 125_050n;
  const made = await createTestDeposit(product, { customerId, method, claimedUsdCents });
  return { id: made.depositId, customerId, method, claimedUsdCents };
}

async function approval(deposit: Awaited<ReturnType<typeof waiting>>) {
  return {
    deposit,
    quantityUnits: 1_250_000n,
    txid: randomTxid(deposit.method),
    outputIndex: null,
    usdCents: deposit.claimedUsdCents,
  };
}

async function actsOn(depositId: string) {
  const { rows } = await owner.query(
    "select act, operator_id, customer_id, detail from audit_log where subject = $1 order by position",
    [`deposit:${depositId}`],
  );
  return rows;
}

/** Everything that a review writes, counted. */
async function traces() {
  const { rows } = await owner.query(`
    select (select count(*) from audit_log) as acts, (select count(*) from ledger_transfers) as transfers,
           (select count(*) from deposits where state <> 'pending') as decided,
           (select count(*) from graphile_worker.jobs) as jobs`);
  return rows[0];
}

describe("the summary before an approval", () => {
  test("shows what the approval then posts, to the atom, and leaves no trace itself", async () => {
    const wanted = await approval(await waiting());
    const before = await traces();
    const preview = await previewApproval(db, grace, wanted, now);
    expect(await traces()).toEqual(before);
    expect(preview).toMatchObject({
      kind: "deposit",
      day: "2026-11-21",
      entries: [
        { account: "available", asset: "BTC", units: 1_250_000n, balanceAfter: 1_250_000n },
        { account: "custody", asset: "BTC", units: -1_250_000n, balanceAfter: null },
      ],
    });
    const { transferId } = await approveAsOperator(db, grace, wanted, now);
    const { rows } = await owner.query("select memo from ledger_transfers where id = $1", [
      transferId,
    ]);
    expect(rows[0].memo).toBe(preview.memo);
  });

  test("refuses what the approval would refuse", async () => {
    const first = await approval(await waiting());
    await approveAsOperator(db, grace, first, now);
    const second = { ...(await approval(await waiting())), txid: first.txid };
    await expect(previewApproval(db, grace, second, now)).rejects.toMatchObject({
      code: "deposits/payment-already-credited",
    });
    await expect(previewApproval(db, grace, first, now)).rejects.toMatchObject({
      code: "deposits/already-reviewed",
    });
  });
});

test("an approval writes down who credited what against which payment, and both dollar amounts", async () => {
  const deposit = await waiting("Ethereum");
  const wanted = {
    ...(await approval(deposit)),
    quantityUnits: 5n * 10n ** 17n,
    usdCents: 120_000n,
  };
  await approveAsOperator(db, grace, wanted, now);
  expect((await getBalances(db, deposit.customerId)).ETH.available).toBe(5n * 10n ** 17n);
  expect(await actsOn(deposit.id)).toEqual([
    {
      act: "deposits/approve",
      operator_id: grace.id,
      customer_id: deposit.customerId,
      detail: {
        quantity: "0.500000000000000000 ETH",
        txid: wanted.txid,
        output: null,
        claimedUsd: "1250.50",
        approvedUsd: "1200.00",
        alone: true,
      },
    },
  ]);
});

test("a rejection writes down its reason", async () => {
  const deposit = await waiting();
  await rejectAsOperator(db, grace, { deposit, reason: "Nothing arrived." }, now);
  expect(await actsOn(deposit.id)).toMatchObject([
    { act: "deposits/reject", operator_id: grace.id, detail: { reason: "Nothing arrived." } },
  ]);
});

test("of two operators who decide at once, one does, and the other leaves no act", async () => {
  for (let round = 0; round < 5; round += 1) {
    const deposit = await waiting();
    const wanted = await approval(deposit);
    const outcomes = await Promise.allSettled([
      approveAsOperator(db, grace, wanted, now),
      rejectAsOperator(db, alan, { deposit, reason: "Nothing arrived." }, now),
      approveAsOperator(db, alan, { ...wanted, txid: randomTxid("Bitcoin") }, now),
    ]);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.map(({ reason }) => reason.code)).toEqual([
      "deposits/already-reviewed",
      "deposits/already-reviewed",
    ]);
    expect(await actsOn(deposit.id)).toHaveLength(1);
  }
});

test("a suspended operator decides nothing and sees no slip", async () => {
  const gone = await createTestOperator(db);
  await changeTestOperator(owner, gone.id, { state: "suspended" });
  const deposit = await waiting();
  const tries = [
    approveAsOperator(db, gone, await approval(deposit), now),
    rejectAsOperator(db, gone, { deposit, reason: "No." }, now),
    readSlipAsOperator(product, gone, deposit.id, now),
  ];
  for (const outcome of await Promise.allSettled(tries)) {
    expect(outcome).toMatchObject({ reason: { code: "identity/operator-not-active" } });
  }
  expect(await actsOn(deposit.id)).toEqual([]);
});

test("every look at a slip stands in the audit log", async () => {
  const deposit = await waiting();
  const slip = await readSlipAsOperator(product, grace, deposit.id, now);
  await readSlipAsOperator(product, alan, deposit.id.toUpperCase(), now);
  expect(slip?.mediaType).toBe("image/jpeg");
  expect(await actsOn(deposit.id)).toMatchObject([
    { act: "deposits/view-slip", operator_id: grace.id, customer_id: deposit.customerId },
    { act: "deposits/view-slip", operator_id: alan.id },
  ]);
});

test("looking for a slip that is not there is no act", async () => {
  const before = await traces();
  expect(await readSlipAsOperator(product, grace, "not-an-id", now)).toBeNull();
  expect(await traces()).toEqual(before);
});
