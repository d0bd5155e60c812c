import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestContract, createTestFleet, createTestPlan } from "#tests/factories/mining.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listMovementTotals } from "./list-movement-totals.ts";
import { postTransfer } from "./post-transfer.ts";
import { reverseTransfer } from "./reverse-transfer.ts";

const { db } = await testDatabase();
const occurredAt = new Date("2026-11-21T00:10:00Z");
const asked = ["conversion", "contract-purchase"] as const;

function credit(ownerId: string, units: bigint) {
  const moves = { available: units, conversion: -units };
  return postTransfer(db, aTransfer({ kind: "conversion", ownerId, moves }));
}

test("nothing moved, nothing is listed", async () => {
  expect(await listMovementTotals(db, randomUUID(), asked)).toEqual([]);
});

test("credits and payments add up per kind; deposits and other customers' credits do not count", async () => {
  const { id: customer } = await createTestCustomer(db);
  await creditTestDeposit(db, customer, 5_000n, { now: occurredAt });
  await credit(randomUUID(), 999n);
  await credit(customer, 4_000n);
  await credit(customer, 191n);
  await createTestFleet(db, { ghs: 1_000n, from: "2026-11-01" });
  const { versionId } = await createTestPlan(db, { now: occurredAt });
  await createTestContract(db, { customerId: customer, versionId, units: 4_500n, now: occurredAt });
  expect(await listMovementTotals(db, customer, asked)).toEqual([
    { kind: "contract-purchase", asset: "BTC", units: -4_500n, entries: 1 },
    { kind: "conversion", asset: "BTC", units: 4_191n, entries: 2 },
  ]);
});

test("a reversed credit is taken off the credits", async () => {
  const customer = randomUUID();
  await credit(customer, 300n);
  const { transferId } = await credit(customer, 700n);
  await reverseTransfer(db, { transferId, key: randomUUID(), occurredAt, memo: "paid twice" });
  expect(await listMovementTotals(db, customer, asked)).toEqual([
    { kind: "conversion", asset: "BTC", units: 300n, entries: 3 },
  ]);
});
