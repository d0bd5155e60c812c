import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aDeposit, aHold, aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { getBalances } from "./get-balances.ts";
import { listStatement } from "./list-statement.ts";
import { postTransfer } from "./post-transfer.ts";
import { postTransfers } from "./post-transfers.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";

const { db } = await testDatabase({ documents: false });

test("posts each of many once, also when they come again with some new ones", async () => {
  const customers = Array.from({ length: 300 }, () => randomUUID());
  const day = customers.map((customer, place) => aDeposit(customer, BigInt(place + 1)));
  const first = await postTransfers(db, day.slice(0, 200));
  expect(first.every(({ posted }) => posted)).toBe(true);
  const again = await postTransfers(db, day);
  expect(again.map(({ posted }) => posted)).toEqual(day.map((_, place) => place >= 200));
  expect(again.slice(0, 200).map(({ transferId }) => transferId)).toEqual(
    first.map(({ transferId }) => transferId),
  );
  const last = await getBalances(db, customers[299] ?? "");
  expect(last.BTC.available).toBe(300n);
});

test("posts a key that stands twice among many once", async () => {
  const customer = randomUUID();
  const deposit = aDeposit(customer, 10n);
  const answers = await postTransfers(db, [deposit, aDeposit(customer, 1n), deposit]);
  expect(answers.map(({ posted }) => posted)).toEqual([true, true, false]);
  expect(answers[2]?.transferId).toBe(answers[0]?.transferId);
  expect((await getBalances(db, customer)).BTC.available).toBe(11n);
});

test("takes many transfers of one customer in their order", async () => {
  const customer = randomUUID();
  await postTransfers(db, [
    aDeposit(customer, 10n),
    aHold(customer, 4n),
    aTransfer({ kind: "hold-release", ownerId: customer, moves: { held: -1n, available: 1n } }),
    aDeposit(customer, 5n, { asset: "ETH" }),
  ]);
  const { BTC, ETH } = await getBalances(db, customer);
  expect([BTC.available, BTC.held, ETH.available]).toEqual([7n, 3n, 5n]);
  const { lines } = await listStatement(db, customer, { limit: 10 });
  expect(lines.map(({ kind }) => kind)).toEqual([
    "deposit",
    "hold-release",
    "hold-release",
    "hold",
    "hold",
    "deposit",
  ]);
});

test("refuses all of many when one would take a customer below zero, even for a moment", async () => {
  const customer = randomUUID();
  const deposit = aDeposit(customer, 10n);
  await expect(postTransfers(db, [aHold(customer, 5n), deposit])).rejects.toMatchObject({
    code: "ledger/insufficient-balance",
  });
  expect((await getBalances(db, customer)).BTC.available).toBe(0n);
  await postTransfers(db, [deposit, aHold(customer, 5n)]);
});

test("ends without a deadlock when many batches and single transfers meet the same customers in any order", async () => {
  const customers = Array.from({ length: 30 }, () => randomUUID());
  const batch = (order: string[]) =>
    postTransfers(
      db,
      order.map((customer) => aDeposit(customer, 1n)),
    );
  await Promise.all([
    ...Array.from({ length: 5 }, () => batch(customers)),
    ...Array.from({ length: 5 }, () => batch(customers.toReversed())),
    ...customers.map((customer) => postTransfer(db, aDeposit(customer, 1n, { asset: "ETH" }))),
  ]);
  for (const customer of customers) {
    const { BTC, ETH } = await getBalances(db, customer);
    expect([BTC.available, ETH.available]).toEqual([10n, 1n]);
  }
});

test("posts more than one statement takes, as one transaction or not at all", async () => {
  const customer = randomUUID();
  const many = Array.from({ length: 10_001 }, () => aDeposit(customer, 1n));
  const spoiled = [...many, aHold(customer, 10_002n)];
  await expect(db.transaction((tx) => postTransfers(tx, spoiled))).rejects.toMatchObject({
    code: "ledger/insufficient-balance",
  });
  expect((await getBalances(db, customer)).BTC.available).toBe(0n);
  await db.transaction((tx) => postTransfers(tx, many));
  expect((await getBalances(db, customer)).BTC.available).toBe(10_001n);
});

test("leaves a ledger that verifies", async () => {
  expect((await verifyLedger(db)).filter(({ holds }) => !holds)).toEqual([]);
});
