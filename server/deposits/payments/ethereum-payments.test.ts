import { bytesToHex } from "@noble/hashes/utils.js";
import { Transaction } from "micro-eth-signer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SourceHealth } from "#core/payments/source-health.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import {
  newEthereumAccount,
  newEthereumDescriptor,
  openTestWallet,
  testAddress,
} from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { killWhileCrediting } from "#tests/faults/kill-while-crediting.ts";
import { startWorker } from "#tests/faults/start-worker.ts";
import {
  encodeCall,
  type RunningEthereumNode,
  startEthereumNode,
} from "#tests/setup/ethereum-node.ts";
import { isLong } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { decideDeepReorg, proposeDeepReorg } from "../../chain/decide-deep-reorg.ts";
import {
  type EthereumLog,
  EthereumNode,
  type EthereumReceipt,
  type EthereumTransaction,
} from "../../chain/ethereum/ethereum-node.ts";
import { proveBlock } from "../../chain/ethereum/prove-block.ts";
import { readEthereum } from "../../chain/ethereum/read-ethereum.ts";
import { readFinalBlock } from "../../chain/ethereum/read-final-block.ts";
import { watchEthereumNode } from "../../chain/ethereum/watch-ethereum.ts";
import { findDeepReorg } from "../../chain/find-deep-reorg.ts";
import { findPosition } from "../../chain/find-position.ts";
import { findSource } from "../../chain/find-source.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import { listCreditedAbove } from "../../chain/list-credited-above.ts";
import { listDeepReorgs } from "../../chain/list-deep-reorgs.ts";
import { listIncidents } from "../../chain/list-incidents.ts";
import { listReorgs } from "../../chain/list-reorgs.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { postTransfer } from "../../ledger/post-transfer.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import type { EthereumChain } from "../../platform/config.ts";
import { openLog } from "../../platform/log/log.ts";
import { verifyBooks } from "../../verify-books.ts";
import { askSecondPerson } from "../approval-proposals.ts";
import { listDeposits } from "../list-deposits.ts";
import { locateDeposit } from "../locate-deposit.ts";
import { listPayments } from "./list-payments.ts";
import { listResolutionsOf } from "./list-resolutions.ts";
import { decidePaymentResolution, proposePaymentResolution } from "./resolve-payments.ts";
import { settlePayments } from "./settle-payments.ts";

/** Coins are spent by a kind that the product does not list. */
const ofTestsAlone = "every transfer is of a kind whose documents are asked for";

const { db, owner, applicationUrl } = await testDatabase();
const product = { db, files: testFiles() };
const grace = await createTestOperator(db);
const olga = await createTestOperator(db);
const log = openLog("silent");
const config = {
  ...readConfig({ AUTH_SECRET: "x".repeat(40), ETHEREUM_INTERNAL_LIMIT: "2" }),
  network: "regtest" as const,
};
/** Where the operator wants two blocks and not finality. */
const afterTwo = [{ fromUnits: 0n, blocks: 2 }];
const hurried = { ...config, confirmations: { ...config.confirmations, ETH: afterTwo } };
const now = () => new Date();
const ether = (text: `${number}`) => BigInt(Math.round(Number(text) * 1e9)) * 10n ** 9n;
const usdt = (whole: number) => BigInt(whole) * 10n ** 6n;

const account = newEthereumAccount();
let ethereum: RunningEthereumNode;
let chain: EthereumChain;
let key: WalletKey;
let splitter: string;

beforeAll(async () => {
  [ethereum, key] = await Promise.all([
    startEthereumNode(),
    openTestWallet(db, grace, newEthereumDescriptor(account), "ethereum"),
  ]);
  const { url, usdt: usdtContract } = ethereum;
  chain = {
    url,
    chainIds: [31_337],
    usdtContract,
    traces: true,
    ownAddresses: [ethereum.accounts[2]],
  };
  splitter = await ethereum.deploy("Splitter");
  await ethereum.send({
    to: ethereum.usdt,
    data: encodeCall("TestUsdt", "approve", { spender: splitter, value: usdt(1_000_000) }),
  });
  await ethereum.mine();
  for (const [asset, usdE8] of [["ETH", 4_000n] as const, ["USDT", 1n] as const]) {
    await createTestPrice(db, { asset, usdE8: usdE8 * 10n ** 8n, observedAt: now() });
  }
  await pass();
});
afterAll(() => ethereum?.stop());

async function watch(node = new EthereumNode(ethereum.url), at = now): Promise<void> {
  await watchEthereumNode({ db, config, log, now: at }, node, chain);
}

async function pass(settings = config): Promise<void> {
  await watch();
  await settlePayments({ db, config: settings, log }, now());
}

/** Mines what waits, and lets it become final. */
async function confirm(): Promise<void> {
  await ethereum.mine();
  await ethereum.finalize();
  await pass();
}

async function customer() {
  const { id } = await createTestCustomer(db);
  return { id, address: await testAddress(db, key, id) };
}

/** A transaction that only the operator can sign: from a customer's address. */
function signFor(from: { address: string }, said: { to: string; value: bigint }): string {
  for (let index = 0; index < 1000; index += 1) {
    const { privateKey } = account.deriveChild(2).deriveChild(index);
    const signed = Transaction.prepare({
      ...said,
      chainId: 31_337n,
      nonce: 0n,
      gasLimit: 21_000n,
      type: "eip1559",
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
    }).signBy(privateKey ?? "");
    if (signed.recoverSender().address === from.address) return `0x${bytesToHex(signed.toBytes())}`;
  }
  throw new Error(`${from.address} is none of the first thousand customers'`);
}

async function available(customerId: string): Promise<{ ETH: bigint; USDT: bigint }> {
  const { ETH, USDT } = await getBalances(db, customerId);
  return { ETH: ETH.available, USDT: USDT.available };
}

async function paymentsOf(customerId: string) {
  return listPayments(db, { customerId, now: now() });
}

async function depositsOf(customerId: string) {
  return (await listDeposits(db, customerId, { show: 50 })).deposits;
}

const split = (method: "split" | "splitInVain", to: string[], each: bigint) => ({
  to: splitter,
  value: each * BigInt(to.length),
  gas: 1_000_000n,
  data: encodeCall("Splitter", method, { to, each }),
});

describe("a payment to a customer's address", () => {
  test("in ether shows its confirmations, and is credited when its block is final", async () => {
    const ada = await customer();
    const txid = await ethereum.pay(ada.address, ether("0.5"));
    await pass();
    expect(await paymentsOf(ada.id)).toEqual([]);
    const find = () =>
      locateDeposit(
        { db, config: { ...config, ethereumChain: chain } },
        { customerId: ada.id, txid, now: now() },
      );
    expect(await find()).toEqual({ kind: "not-read-yet", inBlock: false });
    for (const confirmations of [1, 2]) {
      await ethereum.mine();
      if (confirmations === 1) {
        expect(await find()).toEqual({ kind: "not-read-yet", inBlock: true });
      }
      await pass();
      expect(await paymentsOf(ada.id)).toMatchObject([
        { txid, state: "mined", units: ether("0.5"), confirmations, isFinal: false },
      ]);
      expect(await available(ada.id)).toEqual({ ETH: 0n, USDT: 0n });
    }
    await ethereum.mine();
    await pass();
    expect(await available(ada.id)).toEqual({ ETH: ether("0.5"), USDT: 0n });
    expect(await depositsOf(ada.id)).toMatchObject([
      {
        status: "Approved",
        method: "Ethereum",
        txid,
        quantityUnits: ether("0.5"),
        finalized: true,
        confirmations: 3,
        usdCents: 200_000n,
        slipName: null,
      },
    ]);
    expect(await find()).toMatchObject({ kind: "yours", payments: [{ txid }] });
  });

  test("in USDT approves the slip that claims what it is worth", async () => {
    const ada = await customer();
    const claim = { method: "USDT", customerId: ada.id, claimedUsdCents: 25_000n } as const;
    const slip = await createTestDeposit(product, claim);
    await ethereum.payTokens(ada.address, usdt(250));
    await confirm();
    expect(await available(ada.id)).toEqual({ ETH: 0n, USDT: usdt(250) });
    expect(await depositsOf(ada.id)).toMatchObject([
      { depositId: slip.depositId, status: "Approved", usdCents: 25_000n },
    ]);
  });

  test("counts whether a wallet, a contract or somebody who was allowed to sent it, and however often", async () => {
    const [ada, bob] = [await customer(), await customer()];
    const both = [ada.address, bob.address];
    await ethereum.send(split("split", both, ether("0.25")));
    const each = usdt(7);
    const data = encodeCall("Splitter", "splitToken", { token: ethereum.usdt, to: both, each });
    await ethereum.send({ to: splitter, data });
    await ethereum.pay(ada.address, 1n);
    await ethereum.pay(ada.address, 1n);
    await confirm();
    expect(await available(ada.id)).toEqual({ ETH: ether("0.25") + 2n, USDT: usdt(7) });
    expect(await available(bob.id)).toEqual({ ETH: ether("0.25"), USDT: usdt(7) });
    expect(await depositsOf(ada.id)).toHaveLength(4);
  });

  test("of a contract is credited by the node's word up to a sum in a day, and above it once two people said whose it is", async () => {
    const [ada, bob] = [await customer(), await customer()];
    const send = async (to: string, sum: bigint) => {
      const txid = await ethereum.send(split("split", [to], sum));
      await confirm();
      return txid;
    };
    await send(ada.address, ether("1.2"));
    const txid = await send(ada.address, ether("1.2"));
    // What a wallet sent is proved, and others have a day of their own. What waits counts for nothing.
    await ethereum.pay(ada.address, ether("3"));
    await send(bob.address, ether("2"));
    await send(ada.address, ether("0.8"));
    expect(await available(ada.id)).toMatchObject({ ETH: ether("5") });
    expect(await available(bob.id)).toMatchObject({ ETH: ether("2") });
    const waiting = (await paymentsOf(ada.id)).find((each) => each.txid === txid);
    expect(waiting).toMatchObject({ refusal: "deposits/internal-payment", settledAt: null });
    // Nor does a slip that names it stand on more than that word: two people look at it as well.
    const claim = { method: "Ethereum", customerId: ada.id, claimedUsdCents: 480_000n } as const;
    const { depositId } = await createTestDeposit(product, claim);
    const arrived = { depositId, quantityUnits: ether("1.2"), txid, usdCents: 480_000n };
    const approver = await createTestOperator(db, { role: "approver", canAct: true });
    await createTestOperator(db, { role: "approver", canAct: true });
    const asked = db.transaction((tx) =>
      askSecondPerson(tx, approver.id, { ...arrived, outputIndex: waiting?.outputIndex ?? null }),
    );
    expect(await asked).toBe("needed");
    const paymentId = waiting?.id ?? "";
    const wanted = { paymentId, says: "customers", reason: "Seen on Etherscan." } as const;
    await proposePaymentResolution(db, grace, { ...wanted, withSimilar: false }, now());
    const resolutionId = (await listResolutionsOf(db, paymentId))[0]?.id ?? "";
    await decidePaymentResolution(db, olga, { resolutionId, into: "confirmed" }, now());
    await pass();
    expect(await available(ada.id)).toMatchObject({ ETH: ether("6.2") });
    // A day later the node's word is enough again.
    await owner.query(`alter table chain_payments disable trigger payments_are_never_rewritten;
      update chain_payments set settled_at = settled_at - interval '25 hours' where address = '${bob.address}';
      alter table chain_payments enable always trigger payments_are_never_rewritten`);
    await send(bob.address, ether("2"));
    expect(await available(bob.id)).toMatchObject({ ETH: ether("4") });
  });

  test("is none where the transaction failed, the token is another, nothing moved, or what moved was undone", async () => {
    const ada = await customer();
    const fake = await ethereum.deploy("TestUsdt");
    const call = (to: string, value: bigint) => ({
      to,
      data: encodeCall("TestUsdt", "transfer", { to: ada.address, value }),
    });
    await ethereum.send(call(fake, usdt(1_000)));
    await ethereum.send(call(ethereum.usdt, 0n));
    await ethereum.send(split("splitInVain", [ada.address], ether("1")));
    // Runs out of gas after it has paid the first.
    const short = split(
      "split",
      Array.from({ length: 20 }, () => ada.address),
      ether("1"),
    );
    await ethereum.send({ ...short, gas: 150_000n });
    // Code at the customer's own address that refuses whatever comes.
    await ethereum.call("anvil_setCode", [ada.address, "0x60006000fd"]);
    const failed = await ethereum.send({ to: ada.address, value: ether("2"), gas: 100_000n });
    await confirm();
    await ethereum.call("anvil_setCode", [ada.address, "0x"]);
    expect((await ethereum.node.getReceipt(failed))?.status).toBe(false);
    expect(await paymentsOf(ada.id)).toEqual([]);
    const question = { customerId: ada.id, txid: failed, now: now() };
    const asked = { db, config: { ...config, ethereumChain: chain } };
    expect(await locateDeposit(asked, question)).toEqual({ kind: "failed" });
    // The control.
    await ethereum.send(split("split", [ada.address], ether("1")));
    await confirm();
    expect(await available(ada.id)).toEqual({ ETH: ether("1"), USDT: 0n });
  });

  test("is none where the operator sends it himself, to collect what is there", async () => {
    const [ada, bob] = [await customer(), await customer()];
    await ethereum.send({ from: ethereum.accounts[2], to: ada.address, value: ether("1") });
    await ethereum.mine();
    await ethereum.call("eth_sendRawTransaction", [
      signFor(ada, { to: bob.address, value: ether("0.5") }),
    ]);
    await confirm();
    expect(await paymentsOf(ada.id)).toEqual([]);
    expect(await paymentsOf(bob.id)).toEqual([]);
  });

  test("is found among a hundred in one block, once, by two workers at once", async () => {
    const people = await Promise.all(Array.from({ length: 5 }, customer));
    // Numbers above 127 have two bytes where a header commits to a list.
    for (let i = 0; i < 105; i += 1) await ethereum.pay(ethereum.accounts[1], 1n);
    let last = "";
    for (let i = 0; i < 25; i += 1) {
      const { address } = people[i % 5] ?? (people[0] as (typeof people)[0]);
      last = await (i % 2 ? ethereum.payTokens(address, 1_000n) : ethereum.pay(address, 1_000n));
    }
    await ethereum.mine();
    await ethereum.finalize();
    await Promise.all([pass(), pass()]);
    await pass();
    const { rows } = await owner.query(
      `select count(*)::int as deposits, count(distinct p.block_height)::int as blocks, max(p.block_height) as height
         from deposits d join chain_payments p on p.id = d.payment_id where d.customer_id = any($1)`,
      [people.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ deposits: 25, blocks: 1, height: expect.any(Number) }]);
    const paid = await Promise.all(people.map(({ id }) => available(id)));
    expect(new Set(paid.map(({ ETH, USDT }) => ETH + USDT))).toEqual(new Set([5_000n]));
    // What reads blocks for batches finds the same in it, by what its header commits to.
    const final = (await findPosition(db, "ethereum"))?.height ?? 0;
    const block = await readFinalBlock(db, ethereum.node, { height: rows[0]?.height, final });
    expect(block?.find(last)).toMatchObject({ value: 1_000n, succeeded: true, txid: last });
    // A node that names another block of its height than was read has not shown that it pays nobody here.
    const asking = { db, config: { ...config, ethereumChain: chain } };
    const ask = () => locateDeposit(asking, { customerId: grace.id, txid: last, now: now() });
    expect(await ask()).toMatchObject({ kind: "elsewhere", inBlock: true });
    const change = "update chain_blocks set hash = $1 where chain = 'ethereum' and height = $2";
    await owner.query(change, [`0x${"ab".repeat(32)}`, block?.height]);
    expect(await ask()).toEqual({ kind: "not-read-yet", inBlock: true });
    await owner.query(change, [block?.hash, block?.height]);
    // A node whose answer is too large, or that does not know the question, is asked for parts.
    const told = await ethereum.node.getBlock(block?.hash ?? "");
    if (!told) throw new Error("it was read");
    const asked: number[] = [];
    const inParts: Partial<EthereumNode> = {
      async getBlockReceipts() {
        throw new NodeError("refused", "no such method", -32601);
      },
      async getReceipts(txids) {
        asked.push(txids.length);
        if (txids.length > 30) throw new NodeError("malformed", "more than 64 MB");
        return ethereum.node.getReceipts(txids);
      },
    };
    const proved = async (node: EthereumNode) =>
      (await proveBlock(node, told)).map(({ readSender: _, ...each }) => each);
    const parts = Object.assign(new EthereumNode(ethereum.url), inParts);
    expect(await proved(parts)).toEqual(await proved(ethereum.node));
    expect(asked).toEqual([100, 50, 25, 25, 50, 25, 25, 30]);
  });

  test("is known by the bytes that were signed, whatever the node says who sent how much to whom", async () => {
    const ada = await customer();
    await ethereum.pay(ada.address, 77n);
    await ethereum.mine();
    const real = new EthereumNode(ethereum.url);
    const [, , own] = ethereum.accounts;
    const tells = (said: Partial<EthereumTransaction>) =>
      Object.assign(new EthereumNode(ethereum.url), {
        async getBlock(hash: string) {
          const block = await real.getBlock(hash);
          const transactions = block?.transactions.map((each) => ({ ...each, ...said })) ?? [];
          return block && { ...block, transactions };
        },
      });
    // Of a type that is not known here, which leaves nothing to compare but the bytes; and as if the operator had sent it.
    await watch(tells({ type: "0x7f", value: 1_000_000n, to: splitter, from: own }));
    expect(await paymentsOf(ada.id)).toMatchObject([{ units: 77n, state: "mined" }]);
    await ethereum.finalize();
    await pass();
    expect(await available(ada.id)).toEqual({ ETH: 77n, USDT: 0n });
  });

  // What credits is the same for every coin: payments.test.ts kills it in every run.
  async function killed(): Promise<void> {
    const people = await Promise.all(Array.from({ length: 6 }, customer));
    const customerIds = people.map(({ id }) => id);
    const all = people.map(({ address }) => address);
    const data = encodeCall("Splitter", "splitToken", { token: ethereum.usdt, to: all, each: 7n });
    const txid = await ethereum.send({ to: splitter, data });
    await ethereum.mine();
    await ethereum.finalize();
    await watch();
    const start = () => startWorker({ applicationUrl }, "deposits/settle-payments");
    await killWhileCrediting({ owner, start, txid, customerIds });
    await Promise.all([pass(), pass()]);
    expect(await Promise.all(customerIds.map(available))).toEqual(
      Array(6).fill({ ETH: 0n, USDT: 7n }),
    );
    expect(
      (await verifyBooks(db)).filter(({ holds, claim }) => !holds && claim !== ofTestsAlone),
    ).toEqual([]);
  }
  if (isLong)
    test(
      "is credited whole or not at all by a worker that is killed (SIGKILL) meanwhile, and the next one goes on",
      killed,
    );
});

describe("a block that leaves the chain", () => {
  test("before it is final takes its payments along; another block brings them back", async () => {
    const ada = await customer();
    const [kept, lost] = [
      await ethereum.payTokens(ada.address, usdt(5)),
      await ethereum.payTokens(ada.address, usdt(6)),
    ];
    await ethereum.mine();
    await pass();
    expect(await paymentsOf(ada.id)).toHaveLength(2);
    const raw = await ethereum.call("eth_getRawTransactionByHash", [kept]);
    await ethereum.reorganise(1);
    await pass();
    expect((await paymentsOf(ada.id)).map(({ state }) => state)).toEqual(["orphaned", "orphaned"]);
    expect(await listReorgs(db, 1)).toMatchObject([{ chain: "ethereum", payments: 2 }]);
    await ethereum.call("eth_sendRawTransaction", [raw]);
    await confirm();
    expect(await available(ada.id)).toEqual({ ETH: 0n, USDT: usdt(5) });
    expect(await paymentsOf(ada.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ txid: kept, state: "mined", isFinal: true }),
        expect.objectContaining({ txid: lost, state: "orphaned", settledAt: null }),
      ]),
    );
  });

  test("may hold a transaction that does something else in the next one: that is another payment", async () => {
    const ada = await customer();
    await ethereum.send(split("split", [], 0n));
    await ethereum.send({ ...split("split", [], 0n), value: 5n });
    const data = encodeCall("Splitter", "payAll", ada.address);
    const txid = await ethereum.send({ to: splitter, value: 3n, data, from: ethereum.accounts[1] });
    await ethereum.mine();
    await pass(hurried);
    const before = await paymentsOf(ada.id);
    expect(before).toMatchObject([{ txid, state: "mined" }]);
    await ethereum.reorganise(1, { again: [txid] });
    await confirm();
    const after = await paymentsOf(ada.id);
    expect(after.map(({ state }) => state).sort()).toEqual(["mined", "orphaned"]);
    expect((before[0]?.units ?? 0n) - 5n).toBe(after.find(({ state }) => state === "mined")?.units);
    expect((await available(ada.id)).ETH).toBe((before[0]?.units ?? 0n) - 5n);
    expect(await depositsOf(ada.id)).toHaveLength(1);
  });

  test("after a credit takes it back by a second transfer, and what was used as soon as it can", async () => {
    const ada = await customer();
    await ethereum.pay(ada.address, 900n);
    await ethereum.mine(2);
    await pass(hurried);
    expect((await available(ada.id)).ETH).toBe(900n);
    expect(await depositsOf(ada.id)).toMatchObject([{ confirmations: 2, finalized: false }]);
    const moves = { available: -200n, conversion: 200n };
    const spent = { kind: "conversion", asset: "ETH", ownerId: ada.id, moves } as const;
    await postTransfer(db, aTransfer(spent));
    await ethereum.reorganise(2);
    await pass(hurried);
    expect((await getBalances(db, ada.id)).ETH).toEqual({ available: 0n, held: 700n });
    await ethereum.pay(ada.address, 200n);
    await ethereum.mine(2);
    await pass(hurried);
    await pass(hurried);
    expect((await getBalances(db, ada.id)).ETH).toEqual({ available: 0n, held: 0n });
    const states = async () => (await depositsOf(ada.id)).map(({ state }) => state).sort();
    expect(await states()).toEqual(["approved", "reversed"]);
  });
});

describe("a block that leaves the chain after it was final", () => {
  const looked = () => findDeepReorg(db, readEthereum(ethereum.node, chain));
  const propose = async (said: Partial<{ newHash: string; reason: string }> = {}, by = grace) => {
    const position = await findPosition(db, "ethereum");
    const found = await looked();
    const branches = { oldHash: position?.hash ?? "", newHash: found?.newHash ?? "" };
    const reader = readEthereum(ethereum.node, chain);
    const whole = { ...branches, reason: " Two clients and the news say so. ", ...said };
    await proposeDeepReorg(db, reader, by, whole, now());
    const [newest] = await listDeepReorgs(db, "ethereum", 1);
    return newest?.id ?? "";
  };
  const decide = (deepReorgId: string, into: "confirmed" | "declined", by = olga) =>
    decideDeepReorg(db, by, { deepReorgId, into }, now());
  const health = async () => (await findSource(db, "ethereum"))?.health;

  test("stops the watcher until two people say so: then it goes on where the branches part, and takes back once what is gone", async () => {
    const [ada, bob, eve] = [await customer(), await customer(), await customer()];
    await confirm();
    await ethereum.payTokens(ada.address, usdt(5));
    await ethereum.payTokens(bob.address, usdt(6));
    const from = ethereum.accounts[1];
    const stays = await ethereum.send({ from, to: eve.address, value: 700n });
    await confirm();
    const raw = await ethereum.call("eth_getRawTransactionByHash", [stays]);
    const leaveFor = async (depth: number) => {
      await ethereum.reorganise(depth);
      await ethereum.call("eth_sendRawTransaction", [raw]);
      await ethereum.mine();
      await ethereum.finalize();
    };
    const moves = { available: -usdt(2), conversion: usdt(2) };
    const spent = { kind: "conversion", asset: "USDT", ownerId: bob.id, moves } as const;
    await postTransfer(db, aTransfer(spent));
    const balances = async () => [
      (await getBalances(db, ada.id)).USDT,
      (await getBalances(db, bob.id)).USDT,
      (await getBalances(db, eve.id)).ETH,
    ];
    const before = await balances();
    expect(before.map((each) => each.available)).toEqual([usdt(5), usdt(4), 700n]);
    expect(await looked()).toBeNull();

    await leaveFor(1 + ethereum.finalAfter);
    await pass();
    expect(await health()).toBe("reorg-too-deep");
    const found = await looked();
    expect(await listCreditedAbove(db, "ethereum", found?.fork.height ?? 0)).toEqual([
      { asset: "ETH", payments: 1, units: 700n },
      { asset: "USDT", payments: 2, units: usdt(11) },
    ]);
    // The control: nobody has said anything, then one alone, then two of another branch.
    await expect(propose({ reason: " " })).rejects.toThrow("chain/reason-missing");
    await expect(propose({ newHash: `0x${"ab".repeat(32)}` })).rejects.toThrow("changed-meanwhile");
    const first = await propose();
    await expect(propose()).rejects.toThrow("chain/deep-reorg-proposed");
    await expect(decide(first, "confirmed", grace)).rejects.toThrow("chain/own-deep-reorg");
    await expect(decide("nobody", "confirmed")).rejects.toThrow("chain/no-such-deep-reorg");
    await pass();
    expect(await health()).toBe("reorg-too-deep");
    await decide(first, "declined");
    await expect(decide(first, "confirmed")).rejects.toThrow("chain/no-such-deep-reorg");
    const second = await propose();
    await Promise.all([decide(second, "confirmed"), decide(second, "confirmed")]);
    await leaveFor(3 + 2 * ethereum.finalAfter);
    await pass();
    expect(await health()).toBe("reorg-too-deep");
    expect(await balances()).toEqual(before);

    await decide(await propose(), "confirmed");
    await Promise.all([pass(), pass()]);
    await pass();
    expect(await health()).toBe("following");
    const [newest] = await listDeepReorgs(db, "ethereum", 1);
    expect(newest).toMatchObject({ state: "done", reason: "Two clients and the news say so." });
    const [branch] = await listReorgs(db, 1);
    expect(branch).toMatchObject({ payments: 3, forkHeight: newest?.forkHeight });
    expect(await balances()).toEqual([
      { available: 0n, held: 0n },
      { available: 0n, held: usdt(4) },
      { available: 700n, held: 0n },
    ]);
    expect(await depositsOf(eve.id)).toMatchObject([{ state: "approved", finalized: true }]);
    await ethereum.payTokens(bob.address, usdt(2));
    await confirm();
    await pass();
    expect((await balances())[1]).toEqual({ available: 0n, held: 0n });
    expect(
      (await verifyBooks(db)).filter(({ holds, claim }) => !holds && claim !== ofTestsAlone),
    ).toEqual([]);
    const { rows } = await owner.query(
      "select act, count(*)::int as times from audit_log where subject = 'chain:ethereum' group by act order by act",
    );
    expect(rows).toEqual([
      { act: "chain/confirm-deep-reorg", times: 2 },
      { act: "chain/decline-deep-reorg", times: 1 },
      { act: "chain/propose-deep-reorg", times: 3 },
    ]);
  });

  test("begins again with a payment's block, or with the first one, where no block that both have is remembered", async () => {
    const ada = await customer();
    const txid = await ethereum.pay(ada.address, 50n);
    await confirm();
    const height = (await paymentsOf(ada.id))[0]?.blockHeight ?? 0;
    await confirm();
    await ethereum.reorganise(3);
    await ethereum.finalize();
    await owner.query(
      "delete from chain_blocks where chain = 'ethereum' and height < (select finalized_height from chain_positions where chain = 'ethereum')",
    );
    expect((await looked())?.fork.height).toBe(height);
    const real = ethereum.node;
    const without = Object.assign(new EthereumNode(ethereum.url), {
      async getHeader(at: Parameters<EthereumNode["getHeader"]>[0]) {
        const header = await real.getHeader(at);
        const isOther = typeof at === "number" && at >= (began ?? 0);
        return header && isOther ? { ...header, hash: `0x${"cd".repeat(32)}` } : header;
      },
    });
    const began = (await findPosition(db, "ethereum"))?.beganAtHeight;
    const fork = (await findDeepReorg(db, readEthereum(without, chain)))?.fork;
    expect(fork?.height).toBe((began ?? 0) - 1);
    // All that is read again is found again, and nothing is credited or taken back for it.
    const before = await owner.query("select count(*)::int as count from ledger_transfers");
    await decide(await propose(), "confirmed");
    await pass();
    await pass();
    expect(await health()).toBe("following");
    expect(await paymentsOf(ada.id)).toMatchObject([{ txid, state: "mined", blockHeight: height }]);
    const after = await owner.query("select count(*)::int as count from ledger_transfers");
    expect(after.rows).toEqual(before.rows);
  });
});

describe("a node that cannot be used is seen, and nothing is credited meanwhile", () => {
  test("one that was killed, until it is there again", async () => {
    const ada = await customer();
    await ethereum.pay(ada.address, 31n);
    await ethereum.mine();
    await watch();
    await ethereum.finalize();
    await ethereum.kill();
    await pass();
    expect(await findSource(db, "ethereum")).toMatchObject({ health: "unreachable" });
    expect(await available(ada.id)).toEqual({ ETH: 0n, USDT: 0n });
    await ethereum.restart();
    await pass();
    expect(await available(ada.id)).toEqual({ ETH: 31n, USDT: 0n });
    expect(await listIncidents(db, 1)).toMatchObject([
      { chain: "ethereum", health: "unreachable", endedAt: expect.any(Date) },
    ]);
  });

  const latest = async (node: EthereumNode, number: number) => {
    const header = await node.getHeader(number);
    if (!header) throw new Error("the chain is that high");
    return header;
  };
  type Lie = (real: EthereumNode, height: number) => Partial<EthereumNode>;
  const transactions =
    (changed: (all: EthereumTransaction[]) => EthereumTransaction[]): Lie =>
    (real) => ({
      async getBlock(hash) {
        const block = await real.getBlock(hash);
        return block && { ...block, transactions: changed(block.transactions) };
      },
    });
  const receipts =
    (changed: (receipt: EthereumReceipt) => EthereumReceipt): Lie =>
    (real) => ({
      getBlockReceipts: async (hash) => (await real.getBlockReceipts(hash))?.map(changed) ?? null,
    });
  const logs = (changed: (log: EthereumLog) => EthereumLog) =>
    receipts((receipt) => ({ ...receipt, logs: receipt.logs.map(changed) }));
  const cases: Array<[string, SourceHealth, Lie]> = [
    ["on another chain", "another-chain", () => ({ getChainId: async () => 1 })],
    ["that still reads the chain itself", "syncing", () => ({ isSyncing: async () => true })],
    [
      "that has fewer blocks than it had",
      "behind",
      (real, height) => ({
        getHeader: (at) =>
          real.getHeader(at === "latest" ? height - 1 : at === "finalized" ? 0 : at),
      }),
    ],
    [
      "whose newest block is of tomorrow",
      "lying",
      (real) => ({
        async getHeader(at) {
          const header = await real.getHeader(at);
          return header && { ...header, timestamp: header.timestamp + 86_400 };
        },
      }),
    ],
    [
      "that calls a block final that comes after its newest",
      "lying",
      (real) => ({
        async getHeader(at) {
          const header = await real.getHeader(at);
          return header && at === "finalized" ? { ...header, number: header.number + 99 } : header;
        },
      }),
    ],
    [
      "that calls another block final than it has",
      "lying",
      (real) => ({
        async getHeader(at) {
          const header = await real.getHeader(at);
          return header && at === "finalized"
            ? { ...header, hash: `0x${"ab".repeat(32)}` }
            : header;
        },
      }),
    ],
    [
      "that puts a payment into a block that has none",
      "lying",
      (real) => ({
        async getBlock(hash) {
          const block = await real.getBlock(hash);
          return block && { ...block, transactionsRoot: `0x${"ab".repeat(32)}` };
        },
      }),
    ],
    [
      "whose headers have a field that we do not know",
      "lying",
      (real) => ({
        async getBlock(hash) {
          const block = await real.getBlock(hash);
          return block && { ...block, fieldOfALaterFork: "0x1", gasLimit: "0x1" };
        },
      }),
    ],
    ["that leaves a payment out of its block", "lying", transactions((all) => all.slice(0, -1))],
    [
      "that says that a transaction paid somebody else",
      "lying",
      transactions((all) => all.map((each) => ({ ...each, to: splitter }))),
    ],
    [
      "that leaves out what the token announced",
      "lying",
      receipts((each) => ({ ...each, logs: [] })),
    ],
    [
      "that makes up what the token announced",
      "lying",
      receipts((each) => ({ ...each, logs: [...each.logs, ...each.logs] })),
    ],
    [
      "that tells of another quantity",
      "lying",
      logs((log) => ({ ...log, data: `0x${"f".padStart(64, "0")}` })),
    ],
    ["that tells of another contract", "lying", logs((log) => ({ ...log, address: splitter }))],
    [
      "that says of what failed that it did not, and of what did not that it failed",
      "lying",
      receipts((each) => ({ ...each, status: !each.status })),
    ],
    [
      "that knows none of our blocks",
      "reorg-too-deep",
      (real, height) => ({
        async getHeader(at) {
          const header = await real.getHeader(at);
          const isOther = at === "latest" || (typeof at === "number" && at <= height);
          return header && isOther ? { ...header, hash: `0x${"cd".repeat(32)}` } : header;
        },
      }),
    ],
    [
      "that does not trace",
      "no-traces",
      () => ({
        async traceBlock() {
          throw new NodeError("refused", "no such method", -32601);
        },
      }),
    ],
    ["without our token", "wrong-token", () => ({ call: async () => "0x" })],
  ];
  test.each(cases)("one %s", async (_, health, lie) => {
    const ada = await customer();
    await pass();
    const height = (await findPosition(db, "ethereum"))?.height ?? 0;
    await ethereum.payTokens(ada.address, 41n);
    await ethereum.mine();
    await ethereum.finalize();
    const real = new EthereumNode(ethereum.url);
    expect((await latest(real, height)).hash).toBe((await findPosition(db, "ethereum"))?.hash);
    await watch(Object.assign(new EthereumNode(ethereum.url), lie(real, height)));
    await settlePayments({ db, config, log }, now());
    expect(await findSource(db, "ethereum")).toMatchObject({ health });
    expect((await available(ada.id)).USDT).toBe(0n);
    // The control: the same blocks, told honestly.
    await pass();
    expect((await available(ada.id)).USDT).toBe(41n);
  });

  test("one whose blocks become no longer final, on the main network", async () => {
    const main = { ...config, network: "mainnet" as const };
    const late = () => new Date(Date.now() + 3_700_000);
    const real = new EthereumNode(ethereum.url);
    const fresh = async (at: Parameters<EthereumNode["getHeader"]>[0]) => {
      const header = await real.getHeader(at);
      const timestamp = Math.floor(late().getTime() / 1000);
      return header && at === "latest" ? { ...header, timestamp } : header;
    };
    const node = Object.assign(new EthereumNode(ethereum.url), { getHeader: fresh });
    await watchEthereumNode({ db, config: main, log, now: late }, node, chain);
    expect(await findSource(db, "ethereum")).toMatchObject({ health: "not-finalizing" });
    await watch(undefined, late);
    expect(await findSource(db, "ethereum")).toMatchObject({ health: "following" });
  });
});

describe("PostgreSQL refuses", () => {
  test("to call final what was not read, or what was final not, and to credit as final what is not", async () => {
    const ada = await customer();
    await pass();
    await ethereum.pay(ada.address, 21n);
    await ethereum.mine();
    await pass();
    const refusal = (constraint: string) => expect.objectContaining({ constraint });
    const move = (change: string) =>
      owner.query(`update chain_positions set ${change} where chain = 'ethereum'`);
    await expect(move("finalized_height = finalized_height - 1")).rejects.toEqual(
      refusal("final_blocks_stay_final"),
    );
    await expect(move("finalized_height = null, finalized_hash = null")).rejects.toEqual(
      refusal("final_blocks_stay_final"),
    );
    await expect(move("finalized_height = height, finalized_hash = '0x00'")).rejects.toEqual(
      refusal("final_blocks_are_known"),
    );
    await expect(move("height = finalized_height - 1")).rejects.toEqual(
      refusal("final_blocks_were_read"),
    );
    await pass(hurried);
    await ethereum.mine();
    await pass(hurried);
    const [deposit] = await depositsOf(ada.id);
    const creditAgain = async (change: object) => {
      const client = await owner.connect();
      try {
        await client.query("begin");
        await client.query("alter table deposits disable trigger user");
        const { rows } = await client.query(
          "delete from deposits where id = $1 returning to_jsonb(deposits) as was",
          [deposit?.depositId],
        );
        await client.query("alter table deposits enable trigger user");
        return await client.query(
          "insert into deposits select (jsonb_populate_record(null::deposits, $1)).*",
          [{ ...rows[0].was, ...change }],
        );
      } finally {
        await client.query("rollback");
        client.release();
      }
    };
    await expect(creditAgain({})).resolves.toBeTruthy();
    await expect(creditAgain({ finalized: true })).rejects.toEqual(
      refusal("payments_are_credited_when_confirmed"),
    );
  });
});
