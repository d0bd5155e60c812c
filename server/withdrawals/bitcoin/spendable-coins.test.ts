import { Transaction } from "@scure/btc-signer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { bitcoinBatches } from "#tests/factories/bitcoin-batches.ts";
import { openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import {
  createBitcoinPrice,
  createOfflineWallet,
  type OfflineWallet,
  recordTestWallet,
} from "#tests/factories/withdrawal.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { bitcoinNodeSource } from "../../chain/bitcoin/bitcoin-node-source.ts";
import { watchBitcoinSource } from "../../chain/bitcoin/watch-bitcoin.ts";
import { settlePayments } from "../../deposits/payments/settle-payments.ts";
import { freezeAsOperator } from "../../identity/account/freeze-account.ts";
import { unfreezeAsOperator } from "../../identity/account/unfreeze-account.ts";
import { listHouseBalances } from "../../ledger/list-house-balances.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { openLog } from "../../platform/log/log.ts";
import { findBatch } from "../batches/find-batch.ts";
import { getReadiness } from "../batches/get-readiness.ts";
import { sendVersion } from "../batches/send-version.ts";

const { db, owner } = await testDatabase();
const asked = new Date("2026-03-10T12:00:00Z");
const now = new Date("2026-03-11T09:00:00Z");
/** Half a bitcoin waits for six blocks. */
const steps = [
  { fromUnits: 0n, blocks: 3 },
  { fromUnits: 50_000_000n, blocks: 6 },
];
const [grace, alan] = [await createTestOperator(db), await createTestOperator(db)];
let bitcoin: RunningBitcoinNode;
let wallet: OfflineWallet;
let batches: ReturnType<typeof bitcoinBatches>;

beforeAll(async () => {
  bitcoin = await startBitcoinNode();
  wallet = await createOfflineWallet(bitcoin);
  await recordTestWallet(db, wallet, asked);
  await createBitcoinPrice(db, asked);
  const people = { treasurer: grace, approver: alan };
  batches = bitcoinBatches({ db, bitcoin, wallet, ...people, asked, now, steps });
});
afterAll(() => bitcoin.stop());

const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: Error) => error.message,
  );

const config = readConfig({
  BITCOIN_NETWORK: "regtest",
  BITCOIN_CONFIRMATIONS: "3, 0.5:6",
  AUTH_SECRET: "s".repeat(40),
});
const log = openLog("silent");

/** Reads the chain for deposits, and credits what is deep enough. */
async function watch() {
  const clock = () => new Date();
  await watchBitcoinSource({ db, config, log, now: clock }, bitcoinNodeSource(bitcoin.url));
  await settlePayments({ db, config, log }, clock());
}

const waiting = async () => {
  await batches.lookForCoins();
  const { coins, waiting } = await getReadiness(db, { key: wallet.key, steps }, now);
  const named = [...coins, ...waiting].map(({ txid, waits }) => [txid, waits] as const);
  return Object.fromEntries(named);
};

test("a batch spends a deposit's coin once it is as deep as its size needs, credited, and its customer not frozen", async () => {
  const key = await openTestWallet(db, alan, wallet.descriptor);
  const [ada, ben] = [await createTestCustomer(db), await createTestCustomer(db)];
  const [hers, his] = [await testAddress(db, key, ada.id), await testAddress(db, key, ben.id)];
  await watch();
  const large = await bitcoin.pay(hers, 60_000_000n);
  const small = await bitcoin.pay(his, 20_000_000n);
  await bitcoin.mine(3);
  expect(await waiting()).toEqual({ [large]: "young", [small]: "not-credited" });
  await batches.approved(200_000n);
  expect(await refusal(batches.form())).toBe("withdrawals/not-enough-coins");
  await watch();
  expect(await waiting()).toEqual({ [large]: "young", [small]: null });

  const site = { db, config: testSite };
  const freeze = { customerId: ben.id, reason: "Mailbox taken", now };
  await freezeAsOperator(site, alan, freeze);
  expect(await waiting()).toEqual({ [large]: "young", [small]: "frozen" });
  await unfreezeAsOperator(site, alan, freeze);
  await bitcoin.mine(3);
  expect(await waiting()).toEqual({ [large]: "not-credited", [small]: null });
  await watch();
  expect(await waiting()).toEqual({ [large]: null, [small]: null });
  const batchId = await batches.form();
  expect((await findBatch(db, batchId))?.anchorTxid).toBe(large);
  await batches.send(batchId);
  await bitcoin.mine(3);
  await batches.follow();
  expect((await findBatch(db, batchId))?.state).toBe("settled");
  // The change of our own payment needs no more than three blocks.
  const { txid } = await batches.newest(batchId);
  expect((await waiting())[txid ?? ""]).toBeNull();
});

test("the whole transactions behind coins come from what is kept, where the node has pruned their blocks", async () => {
  await batches.approved(200_000n);
  const pruned = bitcoin.node.getRawTransaction;
  bitcoin.node.getRawTransaction = () => Promise.reject(new Error("pruned"));
  const batchId = await batches.form();
  bitcoin.node.getRawTransaction = pruned;
  const psbt = Transaction.fromPSBT((await batches.newest(batchId)).unsigned);
  expect(psbt.getInput(0).nonWitnessUtxo).toBeDefined();
  await batches.send(batchId);
  await bitcoin.mine(3);
  await batches.follow();
});

test("0.36 BTC in 360 coins pay 0.27; then many small coins become one, which takes two people and is booked", async () => {
  // Everything there was is spent first, so that only the small coins are left.
  await spendAll();
  const small = Array.from({ length: 360 }, (_, i) => deriveAddress(wallet.key, 2 + (i % 15), 2));
  for (let from = 0; from < 24; from++) {
    const some = small.slice(from * 15, from * 15 + 15);
    await bitcoin.payMany(Object.fromEntries(some.map((address) => [address, 100_000n])));
  }
  await bitcoin.mine(3);
  await watch();
  const people = await Promise.all(
    Array.from({ length: 27 }, () => batches.approved(1_000_000n, 1_000_000n)),
  );
  let asking = 0;
  let most = 0;
  const { getTxOut } = bitcoin.node;
  bitcoin.node.getTxOut = async (...wanted) => {
    most = Math.max(most, ++asking);
    return getTxOut.call(bitcoin.node, ...wanted).finally(() => asking--);
  };
  const batchId = await batches.form({ feePerKvb: 1000 });
  bitcoin.node.getTxOut = getTxOut;
  expect(most).toBeLessThanOrEqual(16);
  expect((await batches.newest(batchId)).spends.length).toBeGreaterThan(260);
  await batches.send(batchId);
  await bitcoin.mine(3);
  await batches.follow();
  const states = await Promise.all(people.map(batches.stateOf));
  expect(new Set(states)).toEqual(new Set(["settled"]));

  const before = await custody();
  const consolidation = await batches.form({ purpose: "consolidation", feePerKvb: 1000 });
  const version = await batches.newest(consolidation);
  expect(version.pays).toEqual([]);
  expect(version.spends.length).toBeGreaterThan(50);
  await batches.sign(consolidation);
  expect(await refusal(batches.order(consolidation, grace))).toBe(
    "withdrawals/second-person-needed",
  );
  const versionId = await batches.order(consolidation);
  await sendVersion(db, { nodes: { bitcoin: bitcoin.node, ethereum: null }, versionId }, now);
  await bitcoin.mine(3);
  await batches.follow();
  expect((await findBatch(db, consolidation))?.state).toBe("settled");
  expect(before - (await custody())).toBe(version.feeUnits);
  expect(Object.values(await waiting())).toEqual([null]);
  expect(await refusal(batches.form({ purpose: "consolidation" }))).toBe(
    "withdrawals/nothing-to-consolidate",
  );
  // Nor in SQL with one person alone.
  await expect(
    owner.query("update withdrawal_batches set needs_two = false where id = $1", [consolidation]),
  ).rejects.toThrow();
});

test("a payment that the coins do not cover keeps none waiting that comes after it", async () => {
  await spendAll();
  await bitcoin.pay(deriveAddress(wallet.key, 2, 2), 1_000_000n);
  await bitcoin.mine(3);
  await watch();
  const large = await batches.approved(1_500_000n);
  const small = [await batches.approved(200_000n), await batches.approved(200_000n)];
  const batchId = await batches.form();
  expect(await batches.stateOf(large)).toBe("approved");
  expect(await Promise.all(small.map(batches.stateOf))).toEqual(["batched", "batched"]);
  expect((await batches.newest(batchId)).pays).toHaveLength(2);
  expect(await refusal(batches.form())).toBe("withdrawals/not-enough-coins");
});

test("at a rate between whole ones a payment that coins do not quite cover stays out, and the others leave", async () => {
  await spendAll();
  const small = Array.from({ length: 15 }, (_, i) => deriveAddress(wallet.key, 2 + i, 2));
  for (let round = 0; round < 2; round++) {
    await bitcoin.payMany(Object.fromEntries(small.map((address) => [address, 20_000n])));
  }
  await bitcoin.mine(3);
  await watch();
  const first = await batches.approved(205_000n);
  const brim = await batches.approved(401_000n);
  const batchId = await batches.form({ feePerKvb: 1100 });
  expect((await batches.newest(batchId)).pays).toHaveLength(1);
  expect([await batches.stateOf(first), await batches.stateOf(brim)]).toEqual([
    "batched",
    "approved",
  ]);
});

async function spendAll() {
  await batches.lookForCoins();
  for (const { txid, vout } of (await getReadiness(db, { key: wallet.key, steps }, now)).coins) {
    await batches.spendElsewhere(`${txid}:${vout}`);
  }
}

const custody = async () =>
  (await listHouseBalances(db)).find(
    ({ account, asset }) => account === "custody" && asset === "BTC",
  )?.units ?? 0n;
