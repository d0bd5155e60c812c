import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aDeposit } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findSeal } from "./find-seal.ts";
import { findTransfer } from "./find-transfer.ts";
import { postTransfer } from "./post-transfer.ts";
import { sealTransfers } from "./seal-transfers.ts";

const { db } = await testDatabase({ documents: false });

test("an address that is no id, or nobody's, finds nothing", async () => {
  expect(await findTransfer(db, randomUUID(), "x' or true")).toBe(null);
  expect(await findTransfer(db, randomUUID(), randomUUID())).toBe(null);
});

test("a transfer shows its seal once there is one, and only to its owner", async () => {
  const customerId = randomUUID();
  const { transferId } = await postTransfer(db, aDeposit(customerId, 1000n));
  expect(await findSeal(db, customerId, transferId)).toBe(null);
  await sealTransfers(db, new Date("2026-02-01T00:00:00Z"));
  const seal = await findSeal(db, customerId, transferId);
  expect(seal).toMatchObject({ number: "1", sealedAt: new Date("2026-02-01T00:00:00Z") });
  expect(seal?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await findSeal(db, randomUUID(), transferId)).toBe(null);
});
