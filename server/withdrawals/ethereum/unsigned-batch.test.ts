import { afterAll, expect, test } from "vitest";
import { batchTime as now, startEthereumBatches } from "#tests/factories/ethereum-batches.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { decideAbandonment, proposeAbandonment } from "../batches/abandon-batch.ts";
import { withdrawalAbandonments } from "../schema.ts";

const { db, owner } = await testDatabase();
const { grace, alan, ethereum, approved, form, newest, states, follow } =
  await startEthereumBatches(db);
afterAll(() => ethereum.stop());

test("a batch that nobody took away to sign is ended by two people, and its nonces are given to the next", async () => {
  const people = await approved("ETH", "USDT");
  const batchId = await form();
  const { spends } = await newest(batchId);
  await proposeAbandonment(db, grace, { batchId, reason: "The key of this address is lost" }, now);
  const [proposal] = await db.select().from(withdrawalAbandonments);
  const abandonmentId = proposal?.id ?? "";
  // Nor in SQL, by one person alone.
  await expect(
    owner.query("update withdrawal_payments set outcome = 'abandoned', ended_at = now()"),
  ).rejects.toThrow("by two people");
  await decideAbandonment(db, alan, { batchId, abandonmentId, into: "confirmed" }, now);
  await follow();
  expect(await states(people)).toEqual(["returned", "returned"]);
  const again = await approved("ETH");
  const next = await form();
  expect((await newest(next)).spends).toEqual(spends.slice(0, 1));
  await proposeAbandonment(db, grace, { batchId: next, reason: "Not needed" }, now);
  const open = (await db.select().from(withdrawalAbandonments)).find(
    ({ state }) => state === "open",
  );
  const second = { batchId: next, abandonmentId: open?.id ?? "", into: "confirmed" as const };
  await decideAbandonment(db, alan, second, now);
  await follow();
  expect(await states(again)).toEqual(["returned"]);
});
