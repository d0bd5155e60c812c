import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { testSite } from "#tests/factories/customer.ts";
import {
  ether,
  gwei,
  batchTime as now,
  price,
  refusal,
  startEthereumBatches,
} from "#tests/factories/ethereum-batches.ts";
import { holdBatch } from "#tests/factories/held-batch.ts";
import { startWorker } from "#tests/faults/start-worker.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import {
  type EthereumBlock,
  EthereumNode,
  type EthereumReceipt,
} from "../../chain/ethereum/ethereum-node.ts";
import { chainReorgs } from "../../chain/schema.ts";
import { freezeAsOperator } from "../../identity/account/freeze-account.ts";
import { unfreezeAsOperator } from "../../identity/account/unfreeze-account.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { findBatch } from "../batches/find-batch.ts";
import { orderBroadcast } from "../batches/order-broadcast.ts";
import { rebuildBatch } from "../batches/rebuild-batch.ts";
import { sendVersion } from "../batches/send-version.ts";
import { findWithdrawal } from "../find-withdrawal.ts";
import { planEthereumBatch, planEthereumVersion } from "./plan-batch.ts";

const { db, owner, applicationUrl } = await testDatabase();
const {
  grace,
  alan,
  ethereum,
  hotWallet,
  nodes,
  source,
  approved,
  form,
  newest,
  upload,
  signAndOrder,
  states,
  house,
  send,
  follow,
  tokensOf,
} = await startEthereumBatches(db);
afterAll(() => ethereum.stop());

/** Tells blocks, and what came of transactions, otherwise than they are. */
class LyingNode extends EthereumNode {
  readonly #block: (block: EthereumBlock) => Partial<EthereumBlock>;
  readonly #receipt: (receipt: EthereumReceipt) => Partial<EthereumReceipt>;

  constructor(
    block: (block: EthereumBlock) => Partial<EthereumBlock>,
    receipt: (receipt: EthereumReceipt) => Partial<EthereumReceipt> = () => ({}),
  ) {
    super(ethereum.url);
    this.#block = block;
    this.#receipt = receipt;
  }

  override async getBlock(hash: string): Promise<EthereumBlock | null> {
    const block = await super.getBlock(hash);
    return block && { ...block, ...this.#block(block) };
  }

  override async getReceipts(txids: string[]): Promise<Array<EthereumReceipt | null>> {
    const receipts = await super.getReceipts(txids);
    return receipts.map((receipt) => receipt && this.#changed(receipt));
  }

  override async getBlockReceipts(hash: string): Promise<EthereumReceipt[] | null> {
    const receipts = await super.getBlockReceipts(hash);
    return receipts?.map((receipt) => this.#changed(receipt)) ?? null;
  }

  #changed(receipt: EthereumReceipt): EthereumReceipt {
    return { ...receipt, ...this.#receipt(receipt) };
  }
}

test("an answer that comes late, a node that dies, and a lost job leave one payment and one entry", async () => {
  const people = await approved("USDT", "ETH");
  const batchId = await form();
  const versionId = await signAndOrder(batchId);
  const { unsigned } = await newest(batchId);
  const [reached] = await hotWallet.sign(unsigned);
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
  // What the headers of the chain do not commit to ends nothing.
  const lies: Array<[says: string, node: EthereumNode]> = [
    [
      "its header has another hash",
      new LyingNode(({ timestamp }) => ({ timestamp: timestamp + 1 })),
    ],
    [
      "its header, which has unknown fields (ofALaterFork)",
      new LyingNode(({ receiptsRoot }) => ({
        transactionsRoot: receiptsRoot,
        ofALaterFork: "0x1",
      })),
    ],
    [
      "its header commits to other transactions",
      new LyingNode(({ transactions }) => {
        return { transactions: transactions.map((each) => ({ ...each, value: 1n, input: "0x" })) };
      }),
    ],
    [
      "its header commits to other transactions",
      new LyingNode(({ transactions }) => ({ transactions: transactions.slice(1) })),
    ],
    [
      "its header commits to other receipts",
      new LyingNode(
        () => ({}),
        () => ({ status: false }),
      ),
    ],
    [
      "its header commits to other receipts",
      new LyingNode(
        () => ({}),
        ({ cumulativeGasUsed }) => ({ cumulativeGasUsed: cumulativeGasUsed + 1n }),
      ),
    ],
  ];
  for (const [says, liar] of lies) await expect(follow(liar)).rejects.toThrow(says);
  const incident = async () => (await findBatch(db, batchId))?.incident;
  const lied = await incident();
  expect(lied).toMatchObject({ health: "lying", detail: expect.stringMatching(/receipts$/) });
  // Staff read why it stands still, and since when for that reason.
  const [later, latest] = [60_000, 120_000].map((ms) => new Date(now.getTime() + ms));
  await expect(follow(lies[0]?.[1], later)).rejects.toThrow("another hash");
  expect(await incident()).toMatchObject({ since: lied?.since, lastPolledAt: later });
  await expect(follow(gone.ethereum, latest)).rejects.toThrow("cannot be reached");
  expect(await incident()).toMatchObject({ health: "unreachable", since: latest });
  // Nor does a block that is not the one that deposits were read from.
  const { rows } = await owner.query<{ height: number; hash: string }>(
    "select mined_height as height, mined_hash as hash from withdrawal_payments where ended_at is null order by nonce limit 1",
  );
  const [mined] = rows;
  await owner.query(
    `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
       values ('ethereum', $1, $1, $2, now(), now())`,
    [mined?.height, `0x${"ab".repeat(32)}`],
  );
  await owner.query("insert into chain_blocks (chain, height, hash) values ('ethereum', $1, $2)", [
    mined?.height,
    `0x${"ab".repeat(32)}`,
  ]);
  await expect(follow()).rejects.toThrow("is not the one that was read for deposits");
  expect(await states(people)).toEqual(["broadcast", "broadcast"]);
  await owner.query("update chain_blocks set hash = $1", [mined?.hash]);
  await owner.query("update chain_positions set hash = $1", [mined?.hash]);
  // A transaction whose type came after this was written is known by its bytes; what it cost is read off them, too.
  const newer = new LyingNode(
    ({ transactions }) => ({
      transactions: transactions.map((each) => ({ ...each, type: "0x7f" })),
    }),
    () => ({ gasUsed: 1n, effectiveGasPrice: 1n }),
  );
  const paidBy = await house("network_fee_expense", "ETH");
  await Promise.all([follow(newer), send(versionId), follow(newer)]);
  expect(await incident()).toBeNull();
  expect(await states(people)).toEqual(["settled", "settled"]);
  expect((await house("network_fee_expense", "ETH")) - paidBy).toBeGreaterThan(10n ** 13n);
  expect(await tokensOf(people[0]?.address ?? "")).toBe(97_000_000n);
  expect((await getBalances(db, people[0]?.id ?? "")).USDT.held).toBe(0n);
  // The blocks leave the chain after all: the same signed bytes pay in another one, once.
  await ethereum.reorganise(2 + ethereum.finalAfter);
  const instead = await ethereum.node.getHeader(mined?.height ?? 0);
  await owner.query("update chain_blocks set hash = $1", [instead?.hash]);
  await owner.query("update chain_positions set hash = $1", [instead?.hash]);
  await follow();
  await ethereum.mine();
  // The control: nobody has seen them leave.
  expect(await tokensOf(people[0]?.address ?? "")).toBe(0n);
  const forkHeight = (mined?.height ?? 0) - 1;
  const branch = { forkHeight, oldHeight: forkHeight + 4, oldHash: "0x00", payments: 0 };
  const id = randomUUID();
  const foundAt = new Date(now.getTime() + 3_600_000);
  await db.insert(chainReorgs).values({ id, chain: "ethereum", ...branch, foundAt });
  await Promise.all([follow(), follow()]);
  await ethereum.mine();
  await follow();
  expect(await tokensOf(people[0]?.address ?? "")).toBe(97_000_000n);
  expect(await findBatch(db, batchId)).toMatchObject({
    state: "settled",
    leftItsBlockAt: foundAt,
  });
  expect(await states(people)).toEqual(["settled", "settled"]);
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
  const before = await ethereum.node.getTransactionCount(hotWallet.address, "latest");
  const job = `withdrawals/send=${JSON.stringify({ versionId })}`;
  const start = () => startWorker({ applicationUrl, ethereumUrl: ethereum.url }, job);
  const has = async (txid = "") => (await ethereum.node.getTransaction(txid)) !== null;
  // Nobody can note anything of the batch while it is held.
  const letGo = await holdBatch(owner, batchId);
  const killed = start();
  await expect.poll(() => has(first), { interval: 10 }).toBe(true);
  await killed.kill();
  await letGo();
  // The control: one payment is out, the other is not, and the product knows of neither.
  expect(await has(second)).toBe(false);
  expect(await states(people)).toEqual(["batched", "batched"]);
  expect((await newest(batchId)).sentAt).toBeNull();

  const next = start();
  await expect.poll(() => states(people), { interval: 10 }).toEqual(["broadcast", "broadcast"]);
  await next.kill();
  await ethereum.mine();
  await ethereum.finalize();
  await follow();
  expect(await states(people)).toEqual(["settled", "settled"]);
  expect(await ethereum.node.getTransactionCount(hotWallet.address, "latest")).toBe(before + 2);
  const [ada, bob] = people;
  expect(await ethereum.node.getBalance(ada?.address ?? "")).toBe(ether / 10n - 5n * 10n ** 14n);
  expect(await tokensOf(bob?.address ?? "")).toBe(97_000_000n);
  expect((await getBalances(db, bob?.id ?? "")).USDT).toEqual({
    available: 400_000_000n,
    held: 0n,
  });
});

test("an order that is repeated is one, and what it replaced is mined after all: one payment, with the fee that was paid", async () => {
  const people = await approved("ETH", "USDT");
  const batchId = await form();
  const ordered = await signAndOrder(batchId);
  // Neither the job nor what looks each minute for what is nowhere sends it while an account that it pays is frozen.
  const frozen = { customerId: people[0]?.id ?? "", reason: "His mailbox was taken", now };
  await freezeAsOperator({ db, config: testSite }, alan, frozen);
  await Promise.all([send(ordered), follow()]);
  expect((await newest(batchId)).fault).toMatch(/frozen/);
  const waiting = await ethereum.node.getTransactionCount(hotWallet.address, "pending");
  expect(waiting).toBe(await ethereum.node.getTransactionCount(hotWallet.address, "latest"));
  await unfreezeAsOperator({ db, config: testSite }, alan, frozen);
  const dayAfter = new Date(now.getTime() + 24 * 3_600_000);
  await sendVersion(db, { nodes, versionId: ordered }, dayAfter);
  const { unsigned: original } = await newest(batchId);
  const dearer = { maxFeePerGas: 6n * gwei, maxPriorityFeePerGas: 2n * gwei };
  const wanted = { batchId, after: 1, leaveOut: [], reason: "Stuck" };
  await rebuildBatch(
    db,
    grace,
    { ...wanted, plan: await planEthereumVersion(ethereum.node, dearer) },
    now,
  );
  const bumped = await newest(batchId);
  await upload(batchId, await hotWallet.signFile(bumped.unsigned));
  const order = () => orderBroadcast(db, alan, { batchId, number: 2 }, now);
  await Promise.all([order(), order(), order()]);
  await order();
  const orders = await owner.query(
    "select from audit_log where act = 'withdrawals/order-broadcast' and subject = $1 and detail ->> 'version' = '2'",
    [`withdrawal-batch:${batchId}`],
  );
  expect(orders.rowCount).toBe(1);
  await Promise.all([send(bumped.id), send(bumped.id)]);
  expect((await newest(batchId)).fault).toBeNull();
  const { rows } = await owner.query<{ txid: string }>(
    "select txid from withdrawal_transactions where version_id = $1",
    [bumped.id],
  );
  // The control: the node had the newer ones, and took them for the older.
  for (const { txid } of rows) expect(await ethereum.node.getTransaction(txid)).not.toBeNull();
  for (const { txid } of rows) await ethereum.call("anvil_dropTransaction", [txid]);
  const before = await ethereum.node.getTransactionCount(hotWallet.address, "latest");
  const booked = await house("custody", "ETH");
  const had = await ethereum.node.getBalance(hotWallet.address);
  const signed = await hotWallet.sign(original);
  for (const each of signed) await ethereum.node.sendRawTransaction(each);
  await ethereum.mine();
  await order();
  await Promise.all([send(bumped.id), follow()]);
  expect(await states(people)).toEqual(["broadcast", "broadcast"]);
  await ethereum.finalize();
  await Promise.all([follow(), send(bumped.id), follow()]);
  expect(await states(people)).toEqual(["settled", "settled"]);
  expect(await ethereum.node.getTransactionCount(hotWallet.address, "latest")).toBe(before + 2);
  expect(await tokensOf(people[1]?.address ?? "")).toBe(97_000_000n);
  const left = had - (await ethereum.node.getBalance(hotWallet.address));
  expect(left).toBe(booked - (await house("custody", "ETH")));
  const paid = await Promise.all(people.map((each) => findWithdrawal(db, each)));
  expect(rows.map(({ txid }) => txid)).not.toContain(paid[0]?.txid);
});
