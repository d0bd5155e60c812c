import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aDeposit, aHold } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findTransfer } from "./find-transfer.ts";
import { getBalances } from "./get-balances.ts";
import { postTransfer } from "./post-transfer.ts";
import { reverseTransfer } from "./reverse-transfer.ts";

const { db } = await testDatabase({ documents: false });
const occurredAt = new Date("2026-02-01T00:00:00Z");

async function aPostedDeposit(units = 10n) {
  const customer = randomUUID();
  const { transferId } = await postTransfer(db, aDeposit(customer, units));
  return { customer, transferId };
}

function reverse(transferId: string, key = `test:${randomUUID()}`) {
  return reverseTransfer(db, { transferId, key, occurredAt, memo: "orphaned by a reorg" });
}

test("posts the exact mirror, which points to the transfer it undoes", async () => {
  const { customer, transferId } = await aPostedDeposit();
  const reversal = await reverse(transferId);
  expect(reversal.posted).toBe(true);
  expect(await findTransfer(db, customer, reversal.transferId)).toMatchObject({
    kind: "reversal",
    reverses: transferId,
    day: "2026-02-01",
    source: "test:document",
    memo: "orphaned by a reorg",
    entries: [
      { account: "available", units: -10n, balanceAfter: 0n },
      { account: "custody", units: 10n },
    ],
  });
  expect((await getBalances(db, customer)).BTC.available).toBe(0n);
});

test("returns the first reversal when the same key comes again", async () => {
  const { transferId } = await aPostedDeposit();
  const first = await reverse(transferId, `again:${transferId}`);
  expect(await reverse(transferId, `again:${transferId}`)).toEqual({ ...first, posted: false });
});

test("reverses a transfer once when 20 ask at once", async () => {
  const { customer, transferId } = await aPostedDeposit();
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => reverse(transferId)));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const refusals = answers.filter((answer) => answer.status === "rejected");
  expect(new Set(refusals.map(({ reason }) => reason.code))).toEqual(
    new Set(["ledger/already-reversed"]),
  );
  expect((await getBalances(db, customer)).BTC.available).toBe(0n);
});

test("refuses to reverse a reversal", async () => {
  const { transferId } = await aPostedDeposit();
  const reversal = await reverse(transferId);
  await expect(reverse(reversal.transferId)).rejects.toMatchObject({
    code: "ledger/not-reversible",
  });
});

test("refuses to reverse what does not exist", async () => {
  await expect(reverse(randomUUID())).rejects.toMatchObject({ code: "ledger/unknown-transfer" });
});

test("refuses when the customer has used the money since", async () => {
  const { customer, transferId } = await aPostedDeposit();
  await postTransfer(db, aHold(customer, 1n));
  await expect(reverse(transferId)).rejects.toMatchObject({ code: "ledger/insufficient-balance" });
});

test("refuses a key that stands for another reversal", async () => {
  const [one, other] = [await aPostedDeposit(), await aPostedDeposit()];
  await reverse(one.transferId, `shared:${one.transferId}`);
  await expect(reverse(other.transferId, `shared:${one.transferId}`)).rejects.toMatchObject({
    code: "ledger/key-reused",
  });
});
