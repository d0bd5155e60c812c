import { afterAll, expect, test } from "vitest";
import {
  ether,
  batchTime as now,
  price,
  refusal,
  startEthereumBatches,
} from "#tests/factories/ethereum-batches.ts";
import { holdBatch } from "#tests/factories/held-batch.ts";
import { startWorker } from "#tests/faults/start-worker.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { type EthereumBlock, EthereumNode } from "../chain/ethereum-node.ts";
import { getBalances } from "../ledger/queries.ts";
import { planEthereumBatch } from "./ethereum/plan-batch.ts";
import { sendVersion } from "./send-version.ts";

const { db, owner, applicationUrl } = await testDatabase();
const {
  ethereum,
  payer,
  source,
  approved,
  form,
  newest,
  signAndOrder,
  states,
  send,
  follow,
  tokensOf,
} = await startEthereumBatches(db);
afterAll(() => ethereum.stop());

/** Tells blocks otherwise than they are. */
class LyingNode extends EthereumNode {
  readonly #lie: (block: EthereumBlock) => Partial<EthereumBlock>;

  constructor(lie: (block: EthereumBlock) => Partial<EthereumBlock>) {
    super(ethereum.url);
    this.#lie = lie;
  }

  override async getBlock(hash: string): Promise<EthereumBlock | null> {
    const block = await super.getBlock(hash);
    return block && { ...block, ...this.#lie(block) };
  }
}

test("an answer that comes late, a node that dies, and a lost job leave one payment and one entry", async () => {
  const people = await approved("USDT", "ETH");
  const batchId = await form();
  const versionId = await signAndOrder(batchId);
  const { unsigned } = await newest(batchId);
  const [reached] = await payer.sign(unsigned);
  // The first has reached the node, and nobody was told; then the node is gone.
  await ethereum.node.sendRawTransaction(reached ?? "");
  const gone = { bitcoin: null, ethereum: new EthereumNode("http://127.0.0.1:1") };
  expect(await refusal(sendVersion(db, { nodes: gone, versionId }, now))).toMatch(/reached/);
  expect(await states(people)).toEqual(["batched", "batched"]);
  const blind = planEthereumBatch(db, { ...source(), node: gone.ethereum, price }, now);
  expect(await refusal(blind)).toMatch(/nothing-due|node-does-not-answer/);
  // It is mined before anybody here knows that it was sent.
  await ethereum.mine();
  await Promise.all([send(versionId), follow(), follow()]);
  expect(await states(people)).toEqual(["broadcast", "broadcast"]);
  await ethereum.mine();
  await ethereum.finalize();
  // A block that does not hold together ends nothing; what a node tells of a transaction whose id is ours changes nothing.
  const another = new LyingNode(({ timestamp }) => ({ timestamp: timestamp + 1 }));
  await expect(follow(another)).rejects.toThrow("its header has another hash");
  expect(await states(people)).toEqual(["broadcast", "broadcast"]);
  const slander = new LyingNode(({ transactions }) => {
    return { transactions: transactions.map((each) => ({ ...each, value: 1n, input: "0x" })) };
  });
  await Promise.all([follow(slander), send(versionId), follow(slander)]);
  expect(await states(people)).toEqual(["settled", "settled"]);
  expect(await tokensOf(people[0]?.address ?? "")).toBe(97_000_000n);
  expect((await getBalances(db, people[0]?.id ?? "")).USDT.held).toBe(0n);
});

test("a worker that is killed (SIGKILL) when the node has some of the batch and nobody has noted it: the next one sends the same", async () => {
  const people = await approved("ETH", "USDT");
  const batchId = await form();
  const versionId = await signAndOrder(batchId);
  const { rows } = await owner.query<{ txid: string }>(
    "select txid from withdrawal_transactions join withdrawal_payments using (withdrawal_id) where version_id = $1 order by nonce",
    [versionId],
  );
  const [first, second] = rows.map(({ txid }) => txid);
  const before = await ethereum.node.getTransactionCount(payer.address, "latest");
  const job = `withdrawals/send=${JSON.stringify({ versionId })}`;
  const start = () => startWorker({ applicationUrl, ethereumUrl: ethereum.url }, job);
  const has = async (txid = "") => (await ethereum.node.getTransaction(txid)) !== null;
  // Nobody can note anything of the batch while it is held.
  const letGo = await holdBatch(owner, batchId);
  const killed = start();
  await expect.poll(() => has(first), { timeout: 20_000, interval: 10 }).toBe(true);
  await killed.kill();
  await letGo();
  // The control: one payment is out, the other is not, and the product knows of neither.
  expect(await has(second)).toBe(false);
  expect(await states(people)).toEqual(["batched", "batched"]);
  expect((await newest(batchId)).sentAt).toBeNull();

  const next = start();
  await expect
    .poll(() => states(people), { timeout: 20_000, interval: 10 })
    .toEqual(["broadcast", "broadcast"]);
  await next.kill();
  await ethereum.mine();
  await ethereum.finalize();
  await follow();
  expect(await states(people)).toEqual(["settled", "settled"]);
  expect(await ethereum.node.getTransactionCount(payer.address, "latest")).toBe(before + 2);
  const [ada, bob] = people;
  expect(await ethereum.node.getBalance(ada?.address ?? "")).toBe(ether / 10n - 5n * 10n ** 14n);
  expect(await tokensOf(bob?.address ?? "")).toBe(97_000_000n);
  expect((await getBalances(db, bob?.id ?? "")).USDT).toEqual({
    available: 400_000_000n,
    held: 0n,
  });
});
