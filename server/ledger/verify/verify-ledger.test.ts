import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { aDeposit, aHold } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { postTransfer } from "../post-transfer.ts";
import { reverseTransfer } from "../reverse-transfer.ts";
import { sealTransfers } from "../seal-transfers.ts";
import { snapshotHouseBalances } from "../snapshot-house-balances.ts";
import { verifyLedger } from "./verify-ledger.ts";

const { db, owner } = await testDatabase({ documents: false });
const ada = randomUUID();

beforeAll(async () => {
  const { transferId } = await postTransfer(db, aDeposit(ada, 1_000n));
  await postTransfer(db, aHold(ada, 100n));
  await reverseTransfer(db, {
    transferId: (await postTransfer(db, aDeposit(ada, 7n))).transferId,
    key: `reverse:${transferId}`,
    occurredAt: new Date(),
    memo: "",
  });
  await sealTransfers(db, new Date());
  await snapshotHouseBalances(db, 1);
  await postTransfer(db, aDeposit(ada, 5n));
  await sealTransfers(db, new Date());
});

test("finds nothing wrong with a ledger that nobody touched", async () => {
  const checks = await verifyLedger(db);
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  expect(checks.length).toBeGreaterThanOrEqual(14);
});

const first = "(select min(number) from ledger_transfers)";
const tampering: [string, string, string][] = [
  [
    "a memo rewritten",
    "every seal's root is computed from its transfers",
    `update ledger_transfers set memo = 'another story' where number = ${first}`,
  ],
  [
    "an amount rewritten everywhere",
    "every seal's root is computed from its transfers",
    `update ledger_transfers set legs = '{"(available,BTC,2000)","(custody,BTC,-2000)"}' where number = ${first};
     update ledger_entries set units = units * 2, balance_after = balance_after * 2 where transfer_number = ${first}`,
  ],
  [
    "an amount rewritten in an entry",
    "every transfer's entries are its legs",
    `update ledger_entries set units = units + 1 where transfer_number = ${first} and account = 'available'`,
  ],
  [
    "an entry deleted",
    "every transfer sums to zero per asset",
    `delete from ledger_entries where transfer_number = ${first} and account = 'custody'`,
  ],
  [
    "an entry moved to another customer",
    "every entry carries its transfer's owner",
    `update ledger_entries set owner_id = gen_random_uuid() where transfer_number = ${first}`,
  ],
  [
    "a transfer deleted",
    "every seal's root is computed from its transfers",
    `delete from ledger_entries where transfer_number = ${first}; delete from ledger_transfers where number = ${first}; delete from ledger_keys where number = ${first}`,
  ],
  [
    "a key that is taken without a transfer",
    "every transfer is registered under its id, key and kind, and nothing else is",
    "insert into ledger_keys select max(number) + 1, 'deposit', null, gen_random_uuid(), 'planted' from ledger_keys",
  ],
  [
    "a kind rewritten",
    "every transfer moves only what its kind may",
    `update ledger_transfers set kind = 'goodwill' where number = ${first}`,
  ],
  [
    "a reversal pointed elsewhere",
    "every reversal mirrors a transfer of the same owner",
    `update ledger_transfers set reverses = (select id from ledger_transfers where number = ${first}) where reverses is not null`,
  ],
  [
    "a balance typed in",
    "every balance is the sum of its entries",
    "update ledger_accounts set balance = balance + 1 where account = 'held'",
  ],
  [
    "a balance typed in",
    "the trial balance is zero per asset",
    "update ledger_accounts set balance = balance + 1 where account = 'held'",
  ],
  [
    "a balance after an entry rewritten",
    "every balance after an entry follows from the entry before",
    `update ledger_entries set balance_after = balance_after + 1 where transfer_number = ${first} and account = 'available'`,
  ],
  [
    "two entries swapped",
    "an account's entries are numbered in the order of the ledger",
    `update ledger_entries set sequence = -sequence where account = 'available' and sequence <= 2;
     update ledger_entries set sequence = 3 + sequence where account = 'available' and sequence < 0`,
  ],
  [
    "a snapshot rewritten",
    "every snapshot of the house is the sum of the entries under its seals",
    "update ledger_house_snapshots set units = units + 1 where account = 'custody' and asset = 'BTC'",
  ],
  [
    "a seal's time rewritten",
    "every seal follows from the seal before",
    "update ledger_seals set sealed_at = sealed_at + interval '1 microsecond' where number = 1",
  ],
  [
    "a seal deleted",
    "every seal follows from the seal before",
    "delete from ledger_house_snapshots; delete from ledger_seals where number = 1",
  ],
  [
    "a transfer taken out of its seal",
    "no transfer escaped sealing",
    `update ledger_seals set complete_through = ${first} where number = (select max(number) from ledger_seals);
     update ledger_seals set covers = covers - int8multirange(int8range(${first}, ${first}, '[]')) where covers @> ${first}`,
  ],
];

test.each(tampering)("finds %s: %s", async (_, claim, sql) => {
  const client = await owner.connect();
  try {
    await client.query("begin");
    for (const table of ["accounts", "keys", "transfers", "entries", "seals", "house_snapshots"]) {
      await client.query(`alter table ledger_${table} disable trigger all`);
    }
    await client.query("alter table ledger_accounts alter column balance type numeric(38, 0)");
    await client.query(sql);
    const { drizzle } = await import("drizzle-orm/node-postgres");
    const inside = drizzle(client);
    const checks = await verifyLedger({
      transaction: (act: (tx: unknown) => unknown) => act(inside),
    } as never);
    expect(checks.filter(({ holds }) => !holds).map((check) => check.claim)).toContain(claim);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("finds a history rewritten together with its seals by the seal that somebody kept", async () => {
  const { rows } = await owner.query(
    "select number, encode(hash, 'hex') as hash from ledger_seals where number = 1",
  );
  const kept = rows[0];
  expect((await verifyLedger(db, kept)).at(-1)).toMatchObject({ holds: true });
  const other = { number: "1", hash: "00".repeat(32) };
  expect((await verifyLedger(db, other)).at(-1)).toMatchObject({
    holds: false,
    claim: "seal 1 is the one that was kept",
  });
  const missing = { number: "99", hash: kept.hash };
  expect((await verifyLedger(db, missing)).at(-1)).toMatchObject({
    holds: false,
    detail: "here it is missing",
  });
});
