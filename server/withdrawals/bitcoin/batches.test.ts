import { randomUUID } from "node:crypto";
import { hexToBytes } from "@noble/hashes/utils.js";
import { Transaction } from "@scure/btc-signer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { eq } from "#server/platform/sql.ts";
import { testSite } from "#tests/factories/customer.ts";
import { holdBatch } from "#tests/factories/held-batch.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import {
  createApprovedWithdrawal,
  createBitcoinPrice,
  createOfflineWallet,
  createWithdrawer,
  type OfflineWallet,
  recordTestWallet,
  testSteps,
  testTwoPeople,
} from "#tests/factories/withdrawal.ts";
import { startWorker } from "#tests/faults/start-worker.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";
import { chainBlocks, chainPositions, chainReorgs } from "../../chain/schema.ts";
import { freezeAsOperator } from "../../identity/account/freeze-account.ts";
import { holdMoney } from "../../identity/account/hold-money.ts";
import { unfreezeAsOperator } from "../../identity/account/unfreeze-account.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { listHouseBalances } from "../../ledger/list-house-balances.ts";
import { listWalletReadings } from "../../reconciliation/list-wallet-readings.ts";
import { readWallets } from "../../reconciliation/read-wallets.ts";
import { verifyBooks } from "../../verify-books.ts";
import { findBatch } from "../batches/find-batch.ts";
import { followBatches } from "../batches/follow-batches.ts";
import { formBatch } from "../batches/form-batch.ts";
import { getReadiness } from "../batches/get-readiness.ts";
import { listVersions } from "../batches/list-versions.ts";
import { orderBroadcast } from "../batches/order-broadcast.ts";
import { rebuildBatch } from "../batches/rebuild-batch.ts";
import { sendVersion } from "../batches/send-version.ts";
import { AnotherPayment, uploadSigned } from "../batches/upload-signed.ts";
import { findWithdrawal } from "../find-withdrawal.ts";
import { getWithdrawalFigures } from "../get-withdrawal-figures.ts";
import { placeHold } from "../hold-withdrawal.ts";
import { listWithdrawalsOf } from "../list-withdrawals.ts";
import type { Nodes } from "../node.ts";
import { coinScans, withdrawalBatches } from "../schema.ts";
import { planBitcoinBatch, planBitcoinVersion } from "./plan-batch.ts";
import { askForCoins, scanCoins } from "./scan-coins.ts";
import { suggestFee } from "./suggest-fee.ts";

const { db, owner, applicationUrl } = await testDatabase();
const asked = new Date("2026-03-10T12:00:00Z");
const now = new Date("2026-03-11T09:00:00Z");
const clock = () => now;
const network = "regtest" as const;
const steps = testSteps;
const [grace, alan] = [await createTestOperator(db), await createTestOperator(db)];
let bitcoin: RunningBitcoinNode;
let wallet: OfflineWallet;
let node: BitcoinNode;
let nodes: Nodes;

beforeAll(async () => {
  bitcoin = await startBitcoinNode();
  node = bitcoin.node;
  nodes = { bitcoin: node, ethereum: null };
  wallet = await createOfflineWallet(bitcoin);
  await recordTestWallet(db, wallet, asked);
  await createBitcoinPrice(db, asked);
  await wallet.fund(40_000_000n, 30_000_000n, 20_000_000n, 10_000_000n, 9_000_000n, 8_000_000n);
});
afterAll(() => bitcoin.stop());
// Every transfer of this file has its document, and says the same.
afterAll(async () => {
  expect((await verifyBooks(db)).filter(({ holds }) => !holds)).toEqual([]);
});

const ownAddress = () => bitcoin.call<string>("getnewaddress", [], "miner");
const received = async (address: string) =>
  Math.round(1e8 * (await bitcoin.call<number>("getreceivedbyaddress", [address, 0], "miner")));

/** Customers with an approved withdrawal of 0.002 BTC each, to addresses of their own. */
async function approved(count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const customer = await createWithdrawer(db, { now: asked, address: await ownAddress() });
      const wanted = { customer, operator: grace, now: asked };
      return { ...customer, withdrawalId: await createApprovedWithdrawal(db, wanted) };
    }),
  );
}

async function lookForCoins() {
  await askForCoins(db, grace, wallet.key, now);
  const scans = await db.select().from(coinScans);
  const scanId = scans.find(({ finishedAt }) => finishedAt === null)?.id ?? "";
  await scanCoins(db, { node, key: wallet.key, scanId }, clock);
}

interface Wanted {
  submissionKey?: string;
  feePerKvb?: number;
  outpoints?: string[];
  twoPeopleAboveUnits?: bigint;
}

async function form(wanted: Wanted = {}) {
  await lookForCoins();
  return formNow(wanted);
}

async function formNow({ submissionKey = randomUUID(), ...wanted }: Wanted) {
  const { feePerKvb = 5000, outpoints = [], twoPeopleAboveUnits } = wanted;
  const plan = await planBitcoinBatch(
    db,
    { feePerKvb, outpoints, key: wallet.key, node, steps },
    now,
  );
  const BTC = twoPeopleAboveUnits === undefined ? testTwoPeople.BTC : { twoPeopleAboveUnits };
  const batch = { submissionKey, twoPeople: { ...testTwoPeople, BTC }, plan };
  return (await formBatch(db, grace, batch, now)).batchId;
}

async function newest(batchId: string) {
  const version = (await listVersions(db, batchId)).at(-1);
  if (!version) throw new Error("a batch has a version");
  return version;
}

async function sign(batchId: string) {
  const { unsigned, number } = await newest(batchId);
  const signed = await wallet.sign(unsigned);
  await uploadSigned(db, alan, { batchId, number, signed, network, nodes }, now);
}

async function order(batchId: string, operator = alan, at = now) {
  const { number, id } = await newest(batchId);
  await orderBroadcast(db, operator, { batchId, number }, at);
  return id;
}
const states = async (people: { withdrawalId: string }[]) =>
  Promise.all(
    people.map(async ({ withdrawalId }) => (await findWithdrawal(db, { withdrawalId }))?.state),
  );
const custody = async () =>
  (await listHouseBalances(db)).find(
    ({ account, asset }) => account === "custody" && asset === "BTC",
  )?.units ?? 0n;
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: Error) => error.message,
  );
const follow = (node = nodes.bitcoin) =>
  followBatches(db, { nodes: { ...nodes, bitcoin: node }, network, finality: "finalized" }, clock);

/** Says that every coin is spent, and every block holds one transaction. */
class LyingNode extends BitcoinNode {
  transaction = Buffer.alloc(0);

  override getTxOut() {
    return Promise.resolve(null);
  }

  override async getBlock(hash: string): Promise<Buffer> {
    const header = (await super.getBlock(hash)).subarray(0, 80);
    return Buffer.concat([header, Buffer.of(1), this.transaction]);
  }
}

/** A block before the payment's, in which somebody has written down an output as inputs name it. */
async function mineWithWords(outpoint: string) {
  const [txid = "", vout = ""] = outpoint.split(":");
  const index = Buffer.alloc(4);
  index.writeUInt32LE(Number(vout));
  const data = Buffer.concat([Buffer.from(txid, "hex").reverse(), index]).toString("hex");
  const words = await bitcoin.call<{ txid: string }>("send", [[{ data }]], "miner");
  await bitcoin.call("generateblock", [await ownAddress(), [words.txid]]);
}

async function settleByMining() {
  await bitcoin.mine(3);
  await follow();
}

test("a batch pays exactly what is due, is signed elsewhere, sent once and settled by the chain", async () => {
  const people = await approved(3);
  const [first, held] = [people[0], people[2]];
  if (!first || !held) throw new Error("three were made");
  const hold = { withdrawalId: held.withdrawalId, reason: "We ask first" };
  await placeHold(db, grace, { ...hold, endsAt: new Date("2026-03-12T00:00:00Z") }, now);
  expect(await getReadiness(db, { key: wallet.key, steps }, now)).toMatchObject({
    payments: 2,
    stopped: 1,
  });
  expect(await getReadiness(db, { key: wallet.key, steps }, asked)).toMatchObject({
    payments: 0,
    later: 3,
  });
  expect(await refusal(form({ feePerKvb: 0 }))).toBe("withdrawals/bad-fee-rate");
  expect(await refusal(form({ feePerKvb: 900000 }))).toBe("withdrawals/fee-too-high");

  const submissionKey = randomUUID();
  const [batchId, again] = [await form({ submissionKey }), await form({ submissionKey })];
  expect(again).toBe(batchId);
  const { unsigned: psbt, feeUnits, changeUnits, spends, txid } = await newest(batchId);
  if (txid === null) throw new Error("a payment of bitcoin has an id before it is signed");
  const unsigned = Transaction.fromPSBT(psbt);
  expect(spends).toHaveLength(1);
  expect(unsigned.outputsLength).toBe(3);
  expect(40_000_000n - 2n * 195_000n - feeUnits).toBe(changeUnits);
  expect(await states(people)).toEqual(["batched", "batched", "approved"]);

  // What is not the batch, whole and signed, is refused.
  const upload = (signed: Uint8Array, number = 1) =>
    refusal(uploadSigned(db, alan, { batchId, number, signed, network, nodes }, now));
  expect(await upload(Buffer.from("nonsense"))).toBe("withdrawals/unreadable");
  expect(await upload(psbt)).toBe("withdrawals/not-signed");
  const forged = Transaction.fromPSBT(psbt);
  const mine = Array.from({ length: 3 }, (_, i) => i).find(
    (i) => forged.getOutput(i).amount === 195_000n,
  );
  forged.updateOutput(mine ?? 0, { amount: 194_000n }, true);
  const signedForgery = await wallet.sign(forged.toPSBT(0));
  const wrong = await uploadSigned(
    db,
    alan,
    { batchId, number: 1, signed: signedForgery, network, nodes },
    now,
  ).catch((error: AnotherPayment) => error);
  expect(wrong).toBeInstanceOf(AnotherPayment);
  expect((wrong as AnotherPayment).differences.join(" ")).toMatch(
    /does not pay 0.00195000 BTC to bcrt1.*pays 0.00194000 BTC to bcrt1/,
  );
  // Signatures that leave outputs or inputs open pay the batch today, and something else once somebody has seen them.
  for (const sighash of ["SINGLE|ANYONECANPAY", "ALL|ANYONECANPAY", "NONE"]) {
    const signed = await wallet.sign(psbt, sighash);
    const inPart = { batchId, number: 1, signed, network, nodes };
    const error = await uploadSigned(db, alan, inPart, now).catch((each) => each);
    expect((error as AnotherPayment).differences).toEqual([
      "Input 0 is signed in part only. Sign all inputs and outputs (SIGHASH_ALL).",
    ]);
  }
  const other = await createOfflineWallet(bitcoin, "thief");
  expect(await upload(await other.sign(psbt))).toBe("withdrawals/not-signed");
  expect(await refusal(order(batchId))).toBe("withdrawals/not-signed");

  // As text, as some signers give it.
  expect(await upload(Buffer.from((await wallet.sign(psbt)).toString("base64")))).toBe("done");
  const versionId = await order(batchId);
  await order(batchId);
  const before = await custody();
  await Promise.all([1, 2, 3].map(() => sendVersion(db, { nodes, versionId }, now)));
  expect(await node.getMempool()).toEqual([txid]);
  expect(await states(people)).toEqual(["broadcast", "broadcast", "approved"]);
  expect((await findWithdrawal(db, first))?.txid).toBe(txid);
  expect((await listWithdrawalsOf(db, first.id, 1))[0]?.txid).toBe(txid);

  // Somebody writes the name of the batch's coin into a block of his own: that spends nothing, and ends nothing.
  await mineWithWords(spends[0] ?? "");
  await bitcoin.mine();
  await follow();
  expect(await states(people)).toEqual(["broadcast", "broadcast", "approved"]);
  expect((await findBatch(db, batchId))?.minedHeight).toBe(106);
  // The block goes, and the payment with it: it is noted, and sent again by who has it.
  await bitcoin.reorganise(1);
  await follow();
  expect((await findBatch(db, batchId))?.minedHeight).toBeNull();
  await bitcoin.mine(3);
  await Promise.all([1, 2, 3].map(() => follow()));
  expect(await states(people)).toEqual(["settled", "settled", "approved"]);
  expect(await received(first.address)).toBe(195_000);
  expect((await getBalances(db, first.id)).BTC).toEqual({ available: 800_000n, held: 0n });
  expect(before - (await custody())).toBe(2n * 195_000n + feeUnits);
  expect(await getWithdrawalFigures(db, now)).toMatchObject({ medianHours: 21, sent: 2 });
  expect((await node.getTxOut(txid, 0)) !== null).toBe(true);

  const change = deriveAddress(wallet.key, 0, 1);
  await lookForCoins();
  const { coins } = await getReadiness(db, { key: wallet.key, steps }, now);
  expect(coins.find(({ branch }) => branch === 1)).toMatchObject({ units: changeUnits, index: 0 });
  expect(
    (await bitcoin.call<{ ismine: boolean }>("getaddressinfo", [change], "offline")).ismine,
  ).toBe(true);
  // A coin whose block may still leave the chain is not spent: the batch would go with it.
  const young = await bitcoin.pay(deriveAddress(wallet.key, 0), 600_000n);
  const isOffered = async () => {
    await lookForCoins();
    return (await getReadiness(db, { key: wallet.key, steps }, now)).coins.some(
      ({ txid }) => txid === young,
    );
  };
  await bitcoin.mine(2);
  expect(await isOffered()).toBe(false);
  await bitcoin.mine();
  expect(await isOffered()).toBe(true);
});

test("a node that answers late, and a crash after sending, leave one payment and one entry", async () => {
  const people = await approved(1);
  const batchId = await form();
  await sign(batchId);
  const versionId = await order(batchId);
  const { raw, txid } = await newest(batchId);
  // It has reached the node, and nobody was told.
  await node.sendRawTransaction(Buffer.from(raw ?? []).toString("hex"));
  const gone = new BitcoinNode("http://test:test@127.0.0.1:1");
  expect(
    await refusal(sendVersion(db, { nodes: { ...nodes, bitcoin: gone }, versionId }, now)),
  ).toMatch(/reached/);
  expect(await states(people)).toEqual(["batched"]);
  // It is mined before anybody here knows that it was sent.
  await bitcoin.mine();
  await Promise.all([sendVersion(db, { nodes, versionId }, now), follow()]);
  await bitcoin.mine(2);
  await Promise.all([1, 2].map(() => follow()));
  expect(await states(people)).toEqual(["settled"]);
  expect((await findBatch(db, batchId))?.minedHash).not.toBeNull();
  expect(
    (await findWithdrawal(db, { withdrawalId: people[0]?.withdrawalId ?? "" }))?.batchState,
  ).toBe("settled");
  expect(await received(people[0]?.address ?? "")).toBe(195_000);
  expect(txid).toHaveLength(64);
  // Its block leaves the chain after all: the same bytes are sent again, and no others.
  const [sent, height] = [new Set<string>(), await bitcoin.call<number>("getblockcount")];
  const listening = Object.assign(new BitcoinNode(bitcoin.url), {
    sendRawTransaction(hex: string) {
      sent.add(hex);
      return node.sendRawTransaction(hex);
    },
  });
  await follow(listening);
  expect([...sent]).toEqual([]);
  await bitcoin.reorganise(3);
  const branch = { forkHeight: height - 3, oldHeight: height, oldHash: "00", payments: 0 };
  const left = { id: randomUUID(), chain: "bitcoin" as const, ...branch, foundAt: new Date() };
  await db.insert(chainReorgs).values(left);
  await follow(listening);
  expect([...sent]).toEqual([Buffer.from(raw ?? []).toString("hex")]);
  await bitcoin.mine(3);
  // The node has it in a block again, and refuses it.
  await follow(listening);
  expect(await received(people[0]?.address ?? "")).toBe(195_000);
  expect(await states(people)).toEqual(["settled"]);
});

test("a node that dies between order and answer: the payment leaves once it is back", async () => {
  const people = await approved(1);
  const batchId = await form();
  await sign(batchId);
  const versionId = await order(batchId);
  await bitcoin.kill();
  expect(await refusal(sendVersion(db, { nodes, versionId }, now))).toMatch(/reached|answer/);
  expect(await refusal(form())).toBe("withdrawals/node-does-not-answer");
  await bitcoin.restart();
  await bitcoin.call("loadwallet", ["offline"]).catch(() => null);
  // The job is lost too: whoever follows the batches sends what was ordered.
  await follow();
  expect(await states(people)).toEqual(["broadcast"]);
  await settleByMining();
  expect(await states(people)).toEqual(["settled"]);
});

test("a stuck batch is replaced with a higher fee; without a payment, which comes back", async () => {
  const people = await approved(2);
  const [kept, left] = people;
  if (!kept || !left) throw new Error("two were made");
  const asks = { leastPerKvb: 100, incrementPerKvb: 100 };
  expect(await suggestFee(node)).toMatchObject({ withinBlocks: 6, feePerKvb: null, ...asks });
  // A rate between two whole ones is paid exactly, of the size once it is signed.
  const batchId = await form({ feePerKvb: 2345 });
  await sign(batchId);
  await sendVersion(db, { nodes, versionId: await order(batchId) }, now);
  const first = await newest(batchId);
  const { vsize } = (await node.getMempoolEntry(first.txid ?? "")) ?? { vsize: 0 };
  // Signatures may be a byte shorter than they are thought to be.
  const sizes = [0, 1].map((more) => BigInt(Math.ceil(((vsize + more) * 2345) / 1000)));
  expect(sizes).toContain(first.feeUnits);
  expect(first.feePerKvb).toBe(2345);
  const again = async (wanted: { feePerKvb: number; leaveOut?: string[] }) => {
    const { feePerKvb, leaveOut = [] } = wanted;
    const plan = await planBitcoinVersion(
      db,
      { batchId, feePerKvb, key: wallet.key, node, steps },
      now,
    );
    const version = { batchId, after: 1, leaveOut, reason: "Stuck", plan };
    return rebuildBatch(db, grace, version, now);
  };
  expect(await refusal(again({ feePerKvb: 2345 }))).toMatch(/fee-not-higher|nothing-changed/);
  const rebuilt = await Promise.allSettled([
    again({ feePerKvb: 20000, leaveOut: [left.withdrawalId] }),
    again({ feePerKvb: 21000, leaveOut: [left.withdrawalId] }),
  ]);
  expect(rebuilt.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const second = await newest(batchId);
  expect(second.spends).toContain(first.spends[0]);
  await sign(batchId);
  await sendVersion(db, { nodes, versionId: await order(batchId) }, now);
  expect(await node.getMempool()).toEqual([second.txid]);
  // Nothing comes back before the chain has decided.
  expect(await states(people)).toEqual(["broadcast", "broadcast"]);
  expect((await getBalances(db, left.id)).BTC.held).toBe(200_000n);
  await settleByMining();
  expect(await states(people)).toEqual(["settled", "returned"]);
  expect((await getBalances(db, left.id)).BTC).toEqual({ available: 1_000_000n, held: 0n });
  expect(await received(left.address)).toBe(0);
});

test("a batch pays as little as the node relays, and is replaced for as little more as it asks", async () => {
  const people = await approved(1);
  expect(await refusal(form({ feePerKvb: 99 }))).toBe("withdrawals/bad-fee-rate");
  const { getMempoolInfo } = node;
  const said = (mempoolminfee?: bigint) => {
    node.getMempoolInfo = async () => ({ mempoolminfee, minrelaytxfee: mempoolminfee && 1n });
  };
  said(1_000n);
  expect(await refusal(form({ feePerKvb: 999 }))).toBe("withdrawals/fee-not-relayed");
  said();
  expect(await suggestFee(node)).toMatchObject({ leastPerKvb: 100, incrementPerKvb: 1000 });
  node.getMempoolInfo = getMempoolInfo;
  const batchId = await form({ feePerKvb: 100 });
  await sign(batchId);
  await sendVersion(db, { nodes, versionId: await order(batchId) }, now);
  const first = await newest(batchId);
  const { vsize = 0 } = (await node.getMempoolEntry(first.txid ?? "")) ?? {};
  expect([10n, 11n]).toContain((first.feeUnits * 100n) / BigInt(vsize));
  const again = async (feePerKvb: number) => {
    const plan = await planBitcoinVersion(
      db,
      { batchId, feePerKvb, key: wallet.key, node, steps },
      now,
    );
    const version = { batchId, after: 1, leaveOut: [], reason: "Stuck", plan };
    return rebuildBatch(db, grace, version, now);
  };
  expect(await refusal(again(190))).toBe("withdrawals/fee-not-higher");
  await again(210);
  const second = await newest(batchId);
  await sign(batchId);
  await sendVersion(db, { nodes, versionId: await order(batchId) }, now);
  expect(await node.getMempool()).toEqual([second.txid]);
  await settleByMining();
  expect(await states(people)).toEqual(["settled"]);
});

test("a coin spent elsewhere ends the batch: everybody has his money back, and nothing was paid", async () => {
  const people = await approved(2);
  const batchId = await form();
  await sign(batchId);
  // Nobody is believed that it was: not who makes a block up, and not who has others than were read for deposits.
  const liar = new LyingNode(bitcoin.url);
  liar.transaction = Buffer.from((await newest(batchId)).raw ?? []);
  await expect(follow(liar)).rejects.toThrow("its header commits to other transactions");
  const { blocks: height } = await node.getBlockchainInfo();
  const read = { chain: "bitcoin", height, hash: "ff".repeat(32) } as const;
  const times = { blockTime: now, readAt: now };
  await db.insert(chainPositions).values({ ...read, ...times, beganAtHeight: height });
  await db.insert(chainBlocks).values(read);
  liar.getBlock = (hash) => node.getBlock(hash);
  await expect(follow(liar)).rejects.toThrow("is not the one that was read for deposits");
  await db.delete(chainBlocks);
  expect((await findBatch(db, batchId))?.minedHeight).toBeNull();
  const spent = (await findBatch(db, batchId))?.anchorTxid;
  const vout = (await findBatch(db, batchId))?.anchorVout;
  const to = await ownAddress();
  // The operator moves the coin with his own wallet.
  const raw = await bitcoin.call<string>("createrawtransaction", [
    [{ txid: spent, vout }],
    [{ [to]: 0.0001 }],
  ]);
  const { hex } = await bitcoin.call<{ hex: string }>(
    "signrawtransactionwithwallet",
    [raw],
    "offline",
  );
  await bitcoin.call("sendrawtransaction", [hex, 0, 1]);
  await bitcoin.mine();
  const versionId = await order(batchId);
  await sendVersion(db, { nodes, versionId }, now);
  expect((await newest(batchId)).fault).toMatch(/missingorspent/);
  await follow();
  expect(await states(people)).toEqual(["batched", "batched"]);
  await bitcoin.mine(2);
  await Promise.all([1, 2].map(() => follow()));
  expect(await states(people)).toEqual(["returned", "returned"]);
  expect((await getBalances(db, people[0]?.id ?? "")).BTC.available).toBe(1_000_000n);
  expect((await findBatch(db, batchId))?.state).toBe("failed");
});

test("above the limit a second person orders; who is frozen or has changed a way in is not paid; two batches take no coin twice", async () => {
  const people = await approved(2);
  const [first] = people;
  if (!first) throw new Error("two were made");
  const formed = await Promise.allSettled([
    form({ twoPeopleAboveUnits: 399_999n }),
    formNow({ twoPeopleAboveUnits: 399_999n }),
  ]);
  const done = formed.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(done).toHaveLength(1);
  const [batch] = await db
    .select()
    .from(withdrawalBatches)
    .where(eq(withdrawalBatches.state, "formed"));
  const batchId = batch?.id ?? "";
  const { anchorTxid, anchorVout } = batch ?? { anchorTxid: "", anchorVout: 0 };
  await approved(1);
  const outpoints = [`${anchorTxid}:${anchorVout}`];
  expect(await refusal(form({ outpoints }))).toBe("withdrawals/coins-taken");
  await sign(batchId);
  expect(await refusal(order(batchId, grace))).toBe("withdrawals/second-person-needed");
  await db.transaction((tx) => holdMoney(tx, first.id, "password-changed", now));
  expect(await refusal(order(batchId))).toBe("withdrawals/customer-changed");
  const site = { db, config: testSite };
  const freeze = { customerId: first.id, reason: "His mailbox was taken", now };
  await freezeAsOperator(site, alan, freeze);
  expect(await refusal(order(batchId))).toBe("withdrawals/customer-frozen");
  await unfreezeAsOperator(site, alan, freeze);
  const dayAfter = new Date(now.getTime() + 24 * 3_600_000);
  const versionId = await order(batchId, alan, dayAfter);
  // Between the order and a node that answers.
  await freezeAsOperator(site, alan, { ...freeze, now: dayAfter });
  await sendVersion(db, { nodes, versionId }, dayAfter);
  const { txid, sentAt, fault } = await newest(batchId);
  expect({ sentAt, fault }).toEqual({ sentAt: null, fault: expect.stringMatching(/frozen/) });
  // Nor by what looks each minute for batches that were ordered and are nowhere.
  await follow();
  expect(await node.getMempool()).not.toContain(txid);
  expect((await newest(batchId)).sentAt).toBeNull();
  expect(hexToBytes(anchorTxid ?? "")).toHaveLength(32);
  // Built and ordered again without him, the older one is never sent, whoever still tries to.
  const wanted = { batchId, feePerKvb: 20000, key: wallet.key, node, steps };
  const plan = await planBitcoinVersion(db, wanted, now);
  const without = { batchId, after: 1, leaveOut: [first.withdrawalId], reason: "Frozen", plan };
  await rebuildBatch(db, grace, without, now);
  await sign(batchId);
  const second = await order(batchId, alan, dayAfter);
  await unfreezeAsOperator(site, alan, { ...freeze, now: dayAfter });
  await sendVersion(db, { nodes, versionId }, new Date(dayAfter.getTime() + 48 * 3_600_000));
  expect(await node.getMempool()).not.toContain(txid);
  await sendVersion(db, { nodes, versionId: second }, dayAfter);
  expect(await node.getMempool()).toContain((await newest(batchId)).txid);
});

test("a worker that is killed (SIGKILL) when the node has the batch and nobody has noted it: the next one sends the same, and what a miner takes of its versions counts", async () => {
  const people = await approved(2);
  const batchId = await form();
  await sign(batchId);
  const versionId = await order(batchId);
  const { txid } = await newest(batchId);
  const job = `withdrawals/send=${JSON.stringify({ versionId })}`;
  const start = () => startWorker({ applicationUrl, nodeUrl: bitcoin.url }, job);
  // Nobody can note anything of the batch while it is held.
  const letGo = await holdBatch(owner, batchId);
  const killed = start();
  const inMempool = async () => (await node.getMempool()).includes(txid ?? "");
  await expect.poll(inMempool, { interval: 10 }).toBe(true);
  await killed.kill();
  await letGo();
  // The control: the payment is out, and the product does not know.
  expect(await states(people)).toEqual(["batched", "batched"]);
  expect((await newest(batchId)).sentAt).toBeNull();

  const next = start();
  await expect.poll(() => states(people), { interval: 10 }).toEqual(["broadcast", "broadcast"]);
  await next.kill();
  expect(await listVersions(db, batchId)).toHaveLength(1);

  // It is replaced without the second payment, and a miner takes the first version all the same: that one counts.
  const leaveOut = people.slice(1).map(({ withdrawalId }) => withdrawalId);
  const plan = await planBitcoinVersion(
    db,
    { batchId, feePerKvb: 30000, key: wallet.key, node, steps },
    now,
  );
  const again = { batchId, after: 1, leaveOut, reason: "Stuck", plan };
  await rebuildBatch(db, grace, again, now);
  await sign(batchId);
  await sendVersion(db, { nodes, versionId: await order(batchId) }, now);
  expect(await inMempool()).toBe(false);
  const original = Buffer.from((await listVersions(db, batchId))[0]?.raw ?? []).toString("hex");
  await bitcoin.call("generateblock", [await ownAddress(), [original]]);
  await settleByMining();
  expect(await states(people)).toEqual(["settled", "settled"]);
  for (const { id, address } of people) {
    expect(await received(address)).toBe(195_000);
    expect((await getBalances(db, id)).BTC).toEqual({ available: 800_000n, held: 0n });
  }
});

test("what the machine reads in the wallet is what the wallet itself says, change and all", async () => {
  await settleByMining();
  const reading = { node, network };
  await readWallets(db, reading, clock);
  const spendable = await bitcoin.call<Array<{ amount: number }>>("listunspent", [1], "offline");
  const sats = spendable.reduce((sum, { amount }) => sum + Math.round(1e8 * amount), 0);
  expect(sats).toBeGreaterThan(0);
  const [read, ...others] = await listWalletReadings(db);
  expect(others).toEqual([]);
  expect(read).toMatchObject({ units: BigInt(sats), outputs: spendable.length });
  // More arrives: it is in the reading of the next day, and not in that of today.
  await wallet.fund(7_000_000n);
  await readWallets(db, reading, clock);
  expect((await listWalletReadings(db))[0]?.units).toBe(BigInt(sats));
  await readWallets(db, reading, () => new Date(now.getTime() + 86_400_000));
  expect((await listWalletReadings(db))[0]).toMatchObject({
    units: BigInt(sats) + 7_000_000n,
    outputs: spendable.length + 1,
  });
});
