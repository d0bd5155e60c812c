import type pg from "pg";
import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { fillBooks } from "#tests/factories/filled-books.ts";
import { plantingFunctions } from "#tests/factories/planting.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { sealTransfers } from "./ledger/seal-transfers.ts";
import { snapshotHouseBalances } from "./ledger/snapshot-house-balances.ts";
import type { Db } from "./platform/database.ts";
import { verifyBooksSince } from "./verify-books.ts";

const { db, owner } = await testDatabase();
await fillBooks({ db, owner, files: testFiles() });

async function listSeals(): Promise<Array<{ number: string; hash: string }>> {
  const { rows } = await owner.query(
    "select number, encode(hash, 'hex') as hash from ledger_seals order by number",
  );
  return rows;
}

test("finds nothing wrong after any of the seals, and refuses one that is not the same", async () => {
  const seals = await listSeals();
  expect(seals).toHaveLength(3);
  for (const seal of seals) {
    expect((await verifyBooksSince(db, seal)).filter(({ holds }) => !holds)).toEqual([]);
  }
  const [first] = seals;
  const other = { number: first?.number ?? "", hash: "00".repeat(32) };
  for (const kept of [other, { ...other, number: "99" }]) {
    expect(await verifyBooksSince(db, kept)).toMatchObject([{ holds: false }]);
  }
});

const newest =
  "(select t from ledger_transfers t where kind = 'withdrawal-request' order by number desc limit 1)";
const planted: [string, string, string][] = [
  [
    "a transfer without a document",
    "every credited deposit is one that was approved or paid, and was taken back only with its payment or as a mistake",
    "select plant('deposit:planted', 'deposit', owner_id, legs, source, now()) from a('deposit')",
  ],
  [
    "an amount in an entry",
    "every new transfer's entries are its legs, once, and sum to zero per asset",
    `update ledger_entries set units = units + 1 where transfer_number = (${newest}).number and account = 'held'`,
  ],
  [
    "entries doubled",
    "every new transfer's entries are its legs, once, and sum to zero per asset",
    "insert into ledger_entries select * from ledger_entries where transfer_number = (select max(number) from ledger_transfers where kind = 'equity-funding')",
  ],
  [
    "a transfer under another key",
    "every new transfer is registered under its id, key and kind, and nothing else is",
    `update ledger_keys set key = 'planted' where number = (${newest}).number`,
  ],
  [
    "a key that is taken without a transfer",
    "every new transfer is registered under its id, key and kind, and nothing else is",
    "insert into ledger_keys select max(number) + 1, 'deposit', null, gen_random_uuid(), 'planted' from ledger_keys",
  ],
  [
    "a movement that is not listed",
    "every new transfer moves only what its kind may, or mirrors another of the same owner",
    `select plant('planted', 'deposit', (${newest}).owner_id, '{"(available,BTC,5)","(operator_equity,BTC,-5)"}', 'x', now())`,
  ],
  [
    "a balance that does not follow from what was before",
    "every balance goes on from where it was, entry by entry, never below zero, to what it is now",
    `update ledger_entries set balance_after = balance_after + 1 where transfer_number = (${newest}).number and account = 'held'`,
  ],
  [
    "a balance typed in",
    "every balance goes on from where it was, entry by entry, never below zero, to what it is now",
    `update ledger_accounts set balance = balance + 1 where owner_id = (${newest}).owner_id and account = 'held'`,
  ],
  [
    "a balance typed in of somebody who did nothing since",
    "the trial balance is zero per asset",
    "update ledger_accounts set balance = balance + 1 where owner_id = (select owner_id from a('inactivity-fee')) and account = 'available' and asset = 'BTC'",
  ],
  [
    "a new transfer rewritten",
    "every seal's root is computed from its transfers",
    `update ledger_transfers set memo = 'another story' where number = (${newest}).number`,
  ],
  [
    "a later seal",
    "every seal follows from the seal before",
    "update ledger_seals set hash = sha256('x') where number = 3",
  ],
  [
    "a transfer taken out of its seal",
    "no transfer escaped sealing",
    `update ledger_seals set covers = covers - int8multirange(int8range((${newest}).number, (${newest}).number, '[]')), transfer_count = transfer_count - 1 where covers @> (${newest}).number; update ledger_seals set complete_through = (select max(number) from ledger_transfers) where number = 3`,
  ],
];

test.each(planted)("finds %s: %s", async (_, claim, statements) => {
  const [kept] = await listSeals();
  const client = await owner.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    for (const table of ["keys", "transfers", "entries", "accounts", "seals"])
      await client.query(`alter table ledger_${table} disable trigger user`);
    await client.query(plantingFunctions);
    await client.query(statements);
    const on = await within(client);
    const checks = await verifyBooksSince(on, kept ?? { number: "", hash: "" });
    expect(checks.filter(({ holds }) => !holds).map((check) => check.claim)).toContain(claim);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

/**
 * How many rows PostgreSQL read, in all and of which tables, for a verification since the newest seal, and ten deposits after it:
 * few enough that the long history is far from the length at which looking them up and reading all would cost the same.
 */
async function countRead(customers: string[]): Promise<{ all: number; tables: string }> {
  // A seal knows what is complete under the one before it, unless a transaction of another test is older.
  const sealOnceMore = async () => {
    const { rows } = await owner.query("select max(number) as newest from ledger_transfers");
    await deposit(customers, 10);
    await sealTransfers(db, new Date());
    await snapshotHouseBalances(db, 1);
    const known = "select max(complete_through) >= $1 as done from ledger_seals";
    return (await owner.query(known, [rows[0].newest])).rows[0].done;
  };
  await expect.poll(sealOnceMore, { interval: 200 }).toBe(true);
  const kept = (await listSeals()).at(-1);
  await deposit(customers, 10);
  await owner.query("vacuum analyze");
  const client = await owner.connect();
  try {
    await client.query("begin; set local role assay_app");
    const checks = await verifyBooksSince(await within(client), kept ?? { number: "", hash: "" });
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
    // Entries lie in ranges of 128 pages, of which the one that the kept seal ends in is read whole, however long the history.
    const { rows } = await client.query(
      `select sum(read) as all, string_agg(relname || ' ' || read, ', ' order by relname) filter (where read > 0) as tables
         from (select relname, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables) each
        where relname not like 'ledger_entries%'`,
    );
    return { all: Number(rows[0].all), tables: rows[0].tables };
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** A database whose transactions are the one that the client is in. */
async function within(client: pg.PoolClient): Promise<Db> {
  const { drizzle } = await import("drizzle-orm/node-postgres");
  const inside = drizzle({ client });
  return { transaction: (act: (tx: unknown) => unknown) => act(inside) } as unknown as Db;
}

async function deposit(customers: string[], count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 20) {
    await Promise.all(
      Array.from({ length: Math.min(count, 20) }, (_, place) =>
        creditTestDeposit(db, customers[place % customers.length] ?? "", 1_000n),
      ),
    );
  }
}

test("reads some rows for each new transfer, however long the history", async () => {
  const customers = await Promise.all(
    Array.from({ length: 5 }, async () => (await createTestCustomer(db)).id),
  );
  await deposit(customers, 1_500);
  const read = await countRead(customers);
  // Twenty since the seal before the kept one. A table with a row for each transfer of the history, read whole, is 1,500 more.
  expect(read.all, read.tables).toBeLessThan(20 * 50);
});
