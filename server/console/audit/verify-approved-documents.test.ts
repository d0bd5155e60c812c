import { drizzle } from "drizzle-orm/node-postgres";
import { expect, test } from "vitest";
import type { Db } from "#server/platform/database.ts";
import { fillBooks } from "#tests/factories/filled-books.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { verifyApprovedDocuments } from "./verify-approved-documents.ts";

const { db, owner } = await testDatabase();
await fillBooks({ db, owner, files: testFiles() });

/** The payouts of these books were confirmed by acts without figures. */
const find = async (on: Db) =>
  (await verifyApprovedDocuments(on)).filter(
    ({ claim, holds }) => !holds && !claim.startsWith("payouts"),
  );

test("books that were kept by the product's own acts are as they were approved", async () => {
  expect(await find(db)).toEqual([]);
});

/** What somebody with the owner's rights changes behind the triggers, and which document is named. */
const planted: Array<[what: string, statement: string, named: RegExp]> = [
  [
    "another amount of own money",
    "update adjustments set units = units + 1 where id = (select id from adjustments where state = 'approved' limit 1)",
    /^the adjustment .* is not the one that was approved$/,
  ],
  [
    "what two people said of a payment",
    "update payment_rulings set says = 'customers' where id = (select id from payment_rulings where state = 'confirmed' and says in ('operators', 'set-aside') limit 1)",
    /^the ruling .* is not the one that was confirmed$/,
  ],
  [
    "another payment in a ruling",
    `update ruled_payments set payment_id = (select id from chain_payments p where not exists (select from ruled_payments r where r.payment_id = p.id) limit 1)
      where ruling_id = (select id from payment_rulings where state = 'confirmed' and says <> 'mistaken' limit 1)`,
    /^the ruling .* is not the one that was confirmed$/,
  ],
  [
    "another deposit that was approved by mistake",
    `update payment_rulings set deposit_id = (select id from deposits where ruling_id is null and state = 'approved' limit 1)
      where id = (select id from payment_rulings where says = 'mistaken' limit 1)`,
    /^the ruling .* is not the one that was confirmed$/,
  ],
  [
    "a proposal to end a batch that nobody confirmed",
    `update withdrawal_abandonments set decided_by_act = proposed_by_act where state = 'confirmed'`,
    /^the proposal .* is not the one that was confirmed$/,
  ],
];

test.each(planted)("%s is found", async (_, statement, named) => {
  const client = await owner.connect();
  try {
    await client.query("begin");
    for (const table of [
      "adjustments",
      "payment_rulings",
      "ruled_payments",
      "withdrawal_abandonments",
    ])
      await client.query(`alter table ${table} disable trigger all`);
    expect((await client.query(statement)).rowCount).toBeGreaterThan(0);
    const inside = drizzle(client);
    const tampered = {
      transaction: (act: (tx: unknown) => unknown) => act(inside),
    } as unknown as Db;
    expect((await find(tampered))[0]?.detail).toMatch(named);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
