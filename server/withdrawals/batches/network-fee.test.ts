import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { houseId } from "#server/ledger/account.ts";
import { testDatabase } from "#tests/setup/test-database.ts";

const { owner } = await testDatabase({ documents: false });
const batchId = randomUUID();
const fee = ["custody,BTC,900", "network_fee_expense,BTC,-900"];

interface Posted {
  legs: string[];
  ownerId?: string;
  paidFor?: string;
}

test.each<[string, Posted, boolean]>([
  ["the fee of this batch", { legs: fee }, true],
  ["another fee", { legs: ["custody,BTC,901", "network_fee_expense,BTC,-901"] }, false],
  [
    "another coin beside it",
    { legs: [...fee, "custody,ETH,5", "network_fee_expense,ETH,-5"] },
    false,
  ],
  ["a customer's transfer", { legs: fee, ownerId: randomUUID() }, false],
  ["the fee of another batch", { legs: fee, paidFor: randomUUID() }, false],
])("a settled batch posts its fee and nothing else: %s", async (_, posted, holds) => {
  const { legs, ownerId = houseId, paidFor = batchId } = posted;
  const client = await owner.connect();
  try {
    await client.query("begin");
    const post = await client.query(
      `select post_transfer(gen_random_uuid(), 'network-fee:' || $1::text, 'network-fee', $2, '2026-01-31', now(), 'x', '', $3) as id`,
      [paidFor, ownerId, `{${legs.map((leg) => `"(${leg})"`)}}`],
    );
    const { rows } = await client.query("select is_network_fee($1, $2, 'BTC', 900) as holds", [
      post.rows[0].id,
      batchId,
    ]);
    expect(rows[0].holds).toBe(holds);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
