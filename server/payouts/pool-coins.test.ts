import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { bitcoinBatches } from "#tests/factories/bitcoin-batches.ts";
import { openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPool } from "#tests/factories/payout.ts";
import {
  createBitcoinPrice,
  createOfflineWallet,
  type OfflineWallet,
} from "#tests/factories/withdrawal.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { bitcoinNodeSource } from "../chain/bitcoin/bitcoin-node-source.ts";
import { watchBitcoinSource } from "../chain/bitcoin/watch-bitcoin.ts";
import { findWallet } from "../chain/wallets/find-wallet.ts";
import { settlePayments } from "../deposits/payments/settle-payments.ts";
import { readConfig } from "../platform/config/read-config.ts";
import { openLog } from "../platform/log/log.ts";
import { listFreeAddresses } from "./list-free-addresses.ts";
import { listPoolAddresses, listPoolCoins } from "./list-pool-coins.ts";
import { listPoolCover } from "./list-pool-cover.ts";
import { nameAddress } from "./name-address.ts";
import { stopPool } from "./stop-pool.ts";

const { db } = await testDatabase();
const asked = new Date("2026-03-10T12:00:00Z");
const now = new Date("2026-03-11T09:00:00Z");
const [grace, alan] = [await createTestOperator(db), await createTestOperator(db)];
const config = readConfig({
  BITCOIN_NETWORK: "regtest",
  BITCOIN_CONFIRMATIONS: "1",
  AUTH_SECRET: "s".repeat(40),
});
const log = openLog("silent");
let bitcoin: RunningBitcoinNode;
let wallet: OfflineWallet;
let key: WalletKey;
let batches: ReturnType<typeof bitcoinBatches>;

beforeAll(async () => {
  bitcoin = await startBitcoinNode();
  wallet = await createOfflineWallet(bitcoin);
  key = await openTestWallet(db, alan, wallet.descriptor);
  await createBitcoinPrice(db, asked);
  const steps = [{ fromUnits: 0n, blocks: 1 }];
  batches = bitcoinBatches({
    db,
    bitcoin,
    wallet,
    treasurer: grace,
    approver: alan,
    asked,
    now,
    steps,
  });
  await watch();
});
afterAll(() => bitcoin.stop());

async function watch() {
  const clock = () => new Date();
  await watchBitcoinSource({ db, config, log, now: clock }, bitcoinNodeSource(bitcoin.url));
  await settlePayments({ db, config, log }, clock());
}
async function mine(blocks: number) {
  await bitcoin.mine(blocks);
  await watch();
}
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: Error) => error.message,
  );
const nextAddress = async () => {
  const { id = "" } = (await findWallet(db, key)) ?? {};
  return (await listFreeAddresses(db, id, 1))[0]?.address ?? "";
};
async function pool() {
  const poolId = await createTestPool(db, alan);
  const address = await nextAddress();
  await nameAddress(db, alan, { poolId, address, key }, now);
  return { poolId, address };
}
const coverOf = async (poolId: string) => (await listPoolCover(db, poolId))[0];
/** Spends a coin of the wallet to an address, as its owner would. */
async function spend(outpoint: string, to: string, sats: number) {
  const [txid, vout] = outpoint.split(":");
  const inputs = [{ txid, vout: Number(vout) }];
  const raw = await bitcoin.call<string>("createrawtransaction", [inputs, [{ [to]: sats / 1e8 }]]);
  const sign = "signrawtransactionwithwallet";
  const { hex } = await bitcoin.call<{ hex: string }>(sign, [raw], "offline");
  return bitcoin.call<string>("sendrawtransaction", [hex, 0, 1]);
}

test("a pool gets an address of the operator's own once, at which nothing was ever seen", async () => {
  const { poolId, address } = await pool();
  const other = await createTestPool(db, alan);
  const name = (wanted: { poolId: string; address: string }) =>
    refusal(nameAddress(db, alan, { ...wanted, key }, now));
  expect(await name({ poolId, address })).toBe("done");
  expect(await listPoolAddresses(db, poolId)).toMatchObject([{ address, branch: 0 }]);
  expect(await name({ poolId: other, address })).toBe("payouts/address-is-used");
  const next = await nextAddress();
  expect(next).not.toBe(address);
  const both = await Promise.all([
    name({ poolId, address: next }),
    name({ poolId: other, address: next }),
  ]);
  expect(both.sort()).toEqual(["done", "payouts/address-is-used"]);

  const used = await nextAddress();
  await bitcoin.pay(used, 10_000n);
  await watch();
  expect(await name({ poolId, address: used })).toBe("payouts/address-is-used");
  const ada = await createTestCustomer(db);
  const hers = await testAddress(db, key, ada.id);
  expect(await name({ poolId, address: hers })).toBe("payouts/address-is-used");
  const stranger = await bitcoin.call<string>("getnewaddress", [], "miner");
  expect(await name({ poolId, address: stranger })).toBe("payouts/address-of-another-wallet");
  expect(await name({ poolId: randomUUID(), address: used })).toBe("payouts/no-such-pool");

  const stop = { poolId: other, countsUntil: "2026-03-25", reason: "Moved" };
  await stopPool(db, alan, stop, now);
  expect(await name({ poolId: other, address: await nextAddress() })).toBe(
    "payouts/pool-stopped-already",
  );
});

test("coins count once six blocks hold them, new ones of a block after a hundred, and no more when they leave the chain", async () => {
  const { poolId, address } = await pool();
  await bitcoin.pay(address, 300_000n);
  await watch();
  await mine(5);
  expect(await listPoolCoins(db, poolId, 10)).toMatchObject([
    { units: 300_000n, state: "mined", confirmations: 5, needed: 6, counts: false },
  ]);
  await mine(1);
  expect(await coverOf(poolId)).toMatchObject({ coins: 1, seen: 300_000n });

  await bitcoin.reorganise(6);
  await watch();
  expect(await coverOf(poolId)).toMatchObject({ coins: 0, seen: 0n });
  await mine(6);
  expect(await coverOf(poolId)).toMatchObject({ coins: 1, seen: 300_000n });

  await bitcoin.call("generatetoaddress", [1, address]);
  await mine(98);
  const [newest] = await listPoolCoins(db, poolId, 1);
  expect(newest).toMatchObject({ confirmations: 99, needed: 100, counts: false });
  await mine(1);
  expect(await coverOf(poolId)).toMatchObject({ coins: 2 });
});

test("the wallet's own coins, sent round, are nobody's income: a deposit's, a coin at an own address, and the change of a batch", async () => {
  const { poolId, address } = await pool();
  const ada = await createTestCustomer(db);
  const hers = await testAddress(db, key, ada.id);
  const own = await nextAddress();
  const txid = await bitcoin.payMany({ [hers]: 500_000n, [own]: 400_000n });
  await mine(1);
  const outputs = await bitcoin.call<{ vout: { n: number; value: number }[] }>(
    "getrawtransaction",
    [...[txid, true, await bitcoin.call<string>("getbestblockhash")]],
  );
  const voutOf = (value: number) => outputs.vout.find((each) => each.value === value)?.n;
  // Both in the mempool, with the second one out of the first.
  await spend(`${txid}:${voutOf(0.005)}`, address, 490_000);
  const second = await nextAddress();
  const sent = await spend(`${txid}:${voutOf(0.004)}`, second, 390_000);
  await spend(`${sent}:0`, address, 380_000);
  await mine(6);
  expect(await listPoolCoins(db, poolId, 10)).toMatchObject([
    { fromOwn: true, counts: false },
    { fromOwn: true, counts: false },
  ]);

  await bitcoin.pay(await nextAddress(), 50_000_000n);
  await mine(3);
  await batches.approved();
  const batchId = await batches.form();
  await batches.send(batchId);
  await mine(1);
  const batch = await batches.newest(batchId);
  const { vout } = await bitcoin.call<{ vout: { n: number; value: number }[] }>(
    "getrawtransaction",
    [...[batch.txid, true, await bitcoin.call<string>("getbestblockhash")]],
  );
  const change = vout.find(({ value }) => Math.round(value * 1e8) === Number(batch.changeUnits))?.n;
  await spend(`${batch.txid}:${change}`, address, 1_000_000);
  await bitcoin.pay(address, 70_000n);
  await mine(6);
  expect(await coverOf(poolId)).toMatchObject({ coins: 1, seen: 70_000n });
  expect((await listPoolCoins(db, poolId, 10)).filter(({ fromOwn }) => fromOwn)).toHaveLength(3);
});
