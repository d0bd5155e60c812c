import { createServer } from "node:net";
import { expect, test } from "vitest";
import type { BitcoinNode } from "#server/chain/bitcoin/bitcoin-node.ts";
import { NodeError, type NodeFailure } from "#server/chain/json-rpc.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createUnsentBatch, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { withdrawalJobs } from "../jobs.ts";
import { findBatch } from "./find-batch.ts";
import { followBatches } from "./follow-batches.ts";
import { followJob } from "./follow-soon.ts";

const { app, db } = await testApp();
const operator = await createTestOperator(db);
const yesterday = new Date(Date.now() - 30 * 3_600_000);
const batchIds: string[] = [];
for (const vout of [0, 1, 2]) {
  const customer = await createWithdrawer(db, { now: yesterday });
  batchIds.push((await createUnsentBatch(db, { customer, operator, vout })).batchId);
}

/** Follows once by a node that fails each question, and says about which batches it was asked. */
async function follow(failure: NodeFailure, minutes: number): Promise<number[]> {
  const asked: number[] = [];
  const answers: Partial<BitcoinNode> = {
    async getTxOut(_txid, vout) {
      asked.push(vout);
      throw new NodeError(failure, "no");
    },
  };
  const nodes = { bitcoin: answers as BitcoinNode, ethereum: null };
  const at = new Date(Date.now() + minutes * 60_000);
  const following = { nodes, network: "regtest", finality: "finalized" } as const;
  await expect(followBatches(db, following, () => at)).rejects.toThrow("no");
  return asked;
}

const healths = async () =>
  (await Promise.all(batchIds.map((id) => findBatch(db, id)))).map(
    (each) => each?.incident?.health,
  );

test("a node that does not answer is asked about one batch a pass, and about each in its turn", async () => {
  expect(await follow("unreachable", 1)).toEqual([0]);
  expect(await healths()).toEqual(["unreachable", undefined, undefined]);
  expect(await follow("unauthorized", 2)).toEqual([1]);
  expect(await follow("warming-up", 3)).toEqual([2]);
  expect(await healths()).toEqual(["unreachable", "unauthorized", "warming-up"]);
  expect(await follow("unreachable", 4)).toEqual([0]);
});

test("a pass over a node that does not answer is no job that failed", async () => {
  const silent = createServer((socket) => socket.on("error", () => {}).destroy());
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  const bitcoinChain = { url: `http://u:p@127.0.0.1:${port}` };
  const config = { ...app.config, bitcoinChain };
  const job = withdrawalJobs.find(({ name }) => name === followJob("bitcoin"));
  const at = () => new Date(Date.now() + 5 * 60_000);
  await job?.run({ ...app, config, now: at }, {}, new AbortController().signal);
  silent.close();
  expect(await healths()).toContain("unreachable");
});

test("what it says of one batch keeps it from being asked about no other", async () => {
  expect((await follow("refused", 6)).sort()).toEqual([0, 1, 2]);
  expect((await follow("malformed", 7)).sort()).toEqual([0, 1, 2]);
});
