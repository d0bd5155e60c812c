import { afterAll, expect, test } from "vitest";
import { toChecksumAddress } from "#core/payments/address.ts";
import { EthereumNode } from "#server/chain/ethereum/ethereum-node.ts";
import { eq } from "#server/platform/sql.ts";
import { batchTime as now, startEthereumBatches } from "#tests/factories/ethereum-batches.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { decideAbandonment, proposeAbandonment } from "../batches/abandon-batch.ts";
import { withdrawalAbandonments } from "../schema.ts";

const { db, owner } = await testDatabase();
const { grace, alan, ethereum, approved, form, newest, states, follow } =
  await startEthereumBatches(db);
afterAll(() => ethereum.stop());

/** Two people end the batch, as soon as it is followed. */
async function end(batchId: string, reason: string): Promise<void> {
  await proposeAbandonment(db, grace, { batchId, reason }, now);
  const a = withdrawalAbandonments;
  const [open] = await db.select().from(a).where(eq(a.state, "open"));
  // Nor in SQL, by one person alone.
  await expect(
    owner.query(
      "update withdrawal_payments set outcome = 'abandoned', ended_at = now() where batch_id = $1",
      [batchId],
    ),
  ).rejects.toThrow("by two people");
  const confirmed = { batchId, abandonmentId: open?.id ?? "", into: "confirmed" as const };
  await decideAbandonment(db, alan, confirmed, now);
}

test("a batch that nobody took away to sign is ended by two people, and its nonces are given to the next", async () => {
  const people = await approved("ETH", "USDT");
  const batchId = await form();
  const { spends } = await newest(batchId);
  await end(batchId, "The key of this address is lost");
  await follow();
  expect(await states(people)).toEqual(["returned", "returned"]);
  const again = await approved("ETH");
  const next = await form();
  expect((await newest(next)).spends).toEqual(spends.slice(0, 1));
  await end(next, "Not needed");
  await follow();
  expect(await states(again)).toEqual(["returned"]);
});

test("it ends while the node says nothing about the batch before it", async () => {
  await approved("ETH");
  await form();
  const people = await approved("ETH");
  const hotWalletAddress = toChecksumAddress(ethereum.accounts[2] ?? "");
  await end(await form({ hotWalletAddress }), "Paid from the wrong address");
  const silent = new EthereumNode("http://127.0.0.1:1");
  await expect(follow(silent)).rejects.toThrow("cannot be reached");
  expect(await states(people)).toEqual(["returned"]);
});
