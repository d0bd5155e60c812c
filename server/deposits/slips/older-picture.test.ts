import { randomBytes, randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };

test("a payment is not credited twice by a transaction that keeps an older picture", async () => {
  const grace = await createTestOperator(db);
  const [ada, eve] = [await createTestCustomer(db), await createTestCustomer(db)];
  const txid = randomBytes(32).toString("hex");
  const waiting = await createTestDeposit(product, { customerId: eve.id, claimedUsdCents: 100n });
  const client = await db.$client.connect();
  try {
    await client.query("begin isolation level repeatable read");
    await client.query("select count(*) from deposits");
    // Meanwhile the same transaction is credited to another customer, without naming its output.
    const credited = { customerId: ada.id, approvedBy: grace, quantityUnits: 5_000n, txid };
    await createTestDeposit(product, credited);
    const act = randomUUIDv7();
    await client.query(
      `insert into audit_log (id, act, operator_id, customer_id, subject, occurred_at)
       values ($1, 'deposits/approve', $2, $3, 'deposit:' || $4::text, now())`,
      [act, grace.id, eve.id, waiting.depositId],
    );
    const { rows } = await client.query(
      `select post_transfer(gen_random_uuid(), 'deposit:' || $1::text, 'deposit', $2, current_date, now(), 'deposit:' || $1::text, '',
         '{"(available,BTC,5000)","(custody,BTC,-5000)"}') as id`,
      [waiting.depositId, eve.id],
    );
    const attempt = client.query(
      `update deposits set state = 'approved', quantity_units = 5000, txid = $2, output_index = 0, transfer_id = $3,
         image_url = '/x', reviewed_at = now(), review_action_id = $4 where id = $1`,
      [waiting.depositId, txid, rows[0].id, act],
    );
    await expect(attempt).rejects.toMatchObject({
      constraint: "facts_are_decided_by_what_is_committed",
    });
  } finally {
    await client.query("rollback");
    client.release();
  }
  const { rowCount } = await owner.query("select from deposits where txid = $1", [txid]);
  expect(rowCount).toBe(1);
});
