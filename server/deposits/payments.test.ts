import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { bitcoinNodeSource } from "../chain/bitcoin-node-source.ts";
import { findPosition, findSource, listReorgs, listTroubles } from "../chain/queries.ts";
import { watchSource } from "../chain/watch-bitcoin.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { getBalances } from "../ledger/queries.ts";
import { readConfig } from "../platform/config.ts";
import { openDatabase } from "../platform/database.ts";
import { openLog } from "../platform/log.ts";
import { listDeposits, listPayments, listPaymentsForStaff, listReversals } from "./queries.ts";
import { settlePayments } from "./settle-payments.ts";

const { db, owner, applicationUrl } = await testDatabase();
const product = { db, files: testFiles() };
const grace = await createTestOperator(db);
const log = openLog("silent");
const config = { ...readConfig({ AUTH_SECRET: "x".repeat(40) }), network: "regtest" as const };
const now = () => new Date();

let bitcoin: RunningBitcoinNode;
let key: WalletKey;

beforeAll(async () => {
  [bitcoin, key] = await Promise.all([startBitcoinNode(), openTestWallet(db, grace)]);
  await createTestPrice(db, { asset: "BTC", usdE8: 100_000n * 10n ** 8n, observedAt: now() });
  await pass();
});
afterAll(() => bitcoin?.stop());

/** What the worker does: a look at the chain, then the journal brought to it. */
async function pass(): Promise<void> {
  await watchSource({ db, config, log, now }, bitcoinNodeSource(bitcoin.url));
  await settlePayments({ db, config, log }, now());
}

async function customer() {
  const { id } = await createTestCustomer(db);
  return { id, address: await testAddress(db, key, id) };
}

async function available(customerId: string): Promise<bigint> {
  return (await getBalances(db, customerId)).BTC.available;
}

async function paymentsOf(customerId: string) {
  return listPayments(db, { customerId, now: now() });
}

async function depositsOf(customerId: string) {
  return (await listDeposits(db, customerId, { show: 50 })).deposits;
}

async function notices(customerId: string): Promise<string[]> {
  const { rows } = await owner.query(
    `select (payload->>'notice')::json->>'kind' as kind
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'notices/send' and payload->>'customerId' = $1 order by j.id`,
    [customerId],
  );
  return rows.map(({ kind }) => kind);
}

describe("a payment to a customer's address", () => {
  test("is shown while it waits, confirms block by block, and makes a deposit of its own", async () => {
    const ada = await customer();
    const txid = await bitcoin.pay(ada.address, 250_000n);
    await pass();
    expect(await paymentsOf(ada.id)).toMatchObject([
      { txid, state: "seen", units: 250_000n, confirmations: 0, depositId: null },
    ]);
    for (const confirmations of [1, 2]) {
      await bitcoin.mine();
      await pass();
      expect(await paymentsOf(ada.id)).toMatchObject([{ state: "mined", confirmations }]);
      expect(await available(ada.id)).toBe(0n);
    }
    await bitcoin.mine();
    await pass();
    expect(await available(ada.id)).toBe(250_000n);
    const [deposit] = await depositsOf(ada.id);
    expect(deposit).toMatchObject({
      ...{ status: "Approved", txid, quantityUnits: 250_000n, confirmations: 3, usdCents: 25_000n },
      ...{
        slipName: null,
        claimedUsdCents: null,
        imageUrl: `/account/deposit/${deposit?.depositId}`,
      },
    });
    expect(await notices(ada.id)).toEqual(["deposit-credited"]);
  });

  test("approves the slip that claims what it is worth, and not another's or a distant one", async () => {
    const [ada, bob] = [await customer(), await customer()];
    const claim = { method: "Bitcoin", claimedUsdCents: 101_000n } as const;
    const far = await createTestDeposit(product, {
      ...claim,
      customerId: ada.id,
      claimedUsdCents: 150_000n,
    });
    const slip = await createTestDeposit(product, { ...claim, customerId: ada.id });
    const others = await createTestDeposit(product, { ...claim, customerId: bob.id });
    await bitcoin.pay(ada.address, 1_000_000n);
    await bitcoin.mine(3);
    await pass();
    const states = new Map((await depositsOf(ada.id)).map((each) => [each.depositId, each]));
    expect(states.size).toBe(2);
    expect(states.get(slip.depositId)).toMatchObject({
      ...{
        status: "Approved",
        usdCents: 101_000n,
        quantityUnits: 1_000_000n,
        reviewedAt: expect.any(Date),
      },
      imageUrl: `/account/deposit/${slip.depositId}/slip`,
    });
    expect(states.get(far.depositId)?.status).toBe("Pending");
    expect((await depositsOf(bob.id))[0]).toMatchObject({
      depositId: others.depositId,
      status: "Pending",
    });
  });

  test("is credited however late, small or often it comes, also several in one transaction", async () => {
    const [ada, bob] = [await customer(), await customer()];
    await bitcoin.payMany({ [ada.address]: 330n, [bob.address]: 40_000n });
    await bitcoin.pay(ada.address, 1_000n);
    await bitcoin.pay(ada.address, 1_000n);
    await bitcoin.mine(3);
    await pass();
    expect(await available(ada.id)).toBe(2_330n);
    expect(await available(bob.id)).toBe(40_000n);
    expect(await depositsOf(ada.id)).toHaveLength(3);
  });

  test("is left to the slip that staff approved against it before", async () => {
    const ada = await customer();
    const txid = await bitcoin.pay(ada.address, 70_000n);
    await createTestDeposit(product, {
      customerId: ada.id,
      approvedBy: grace,
      quantityUnits: 70_000n,
      txid,
    });
    await bitcoin.mine(3);
    await pass();
    expect(await available(ada.id)).toBe(70_000n);
    expect(await depositsOf(ada.id)).toHaveLength(1);
  });

  test("is credited without a price, and valued with the first fresh one", async () => {
    const ada = await customer();
    await bitcoin.pay(ada.address, 100_000n);
    await bitcoin.mine(3);
    const later = new Date(Date.now() + 3_600_000);
    await watchSource({ db, config, log, now: () => later }, bitcoinNodeSource(bitcoin.url));
    await settlePayments({ db, config, log }, later);
    expect(await available(ada.id)).toBe(100_000n);
    expect((await depositsOf(ada.id))[0]).toMatchObject({ usdCents: null, status: "Approved" });
    await pass();
    expect((await depositsOf(ada.id))[0]).toMatchObject({ usdCents: 10_000n });
  });

  test("that its sender takes back before a block came to nothing, and nothing is posted", async () => {
    const ada = await customer();
    const txid = await bitcoin.pay(ada.address, 5_000_000n);
    await pass();
    await bitcoin.doubleSpend(txid);
    await pass();
    expect(await paymentsOf(ada.id)).toMatchObject([{ txid, state: "dropped" }]);
    await bitcoin.mine(4);
    await pass();
    expect(await available(ada.id)).toBe(0n);
    expect(await depositsOf(ada.id)).toEqual([]);
  });
});

describe("a block that leaves the chain", () => {
  test("below the confirmations takes a payment along that nobody was credited", async () => {
    const ada = await customer();
    await bitcoin.pay(ada.address, 90_000n);
    await bitcoin.mine(2);
    await pass();
    expect(await paymentsOf(ada.id)).toMatchObject([{ state: "mined", confirmations: 2 }]);
    await bitcoin.reorganise(2);
    await pass();
    expect(await paymentsOf(ada.id)).toMatchObject([
      { state: "seen", orphanedAt: expect.any(Date) },
    ]);
    expect(await listReorgs(db, 1)).toMatchObject([{ payments: 1 }]);
    expect(await depositsOf(ada.id)).toEqual([]);
    await bitcoin.mine(3);
    await pass();
    expect(await available(ada.id)).toBe(90_000n);
    expect(await depositsOf(ada.id)).toHaveLength(1);
  });

  test("beyond them takes the credit back by one transfer, and customer and staff are told", async () => {
    const ada = await customer();
    await bitcoin.pay(ada.address, 80_000n);
    await bitcoin.mine(3);
    await pass();
    expect(await available(ada.id)).toBe(80_000n);
    await bitcoin.reorganise(3);
    await pass();
    await pass();
    expect(await available(ada.id)).toBe(0n);
    expect((await depositsOf(ada.id))[0]).toMatchObject({ state: "reversed", status: "Reversed" });
    expect(await notices(ada.id)).toEqual(["deposit-credited", "deposit-reversed"]);
    expect(await toldStaff(ada.id)).toEqual([true]);
    // It comes again, and so does the credit: as another deposit.
    await bitcoin.mine(3);
    await pass();
    expect(await available(ada.id)).toBe(80_000n);
    expect((await depositsOf(ada.id)).map(({ state }) => state).sort()).toEqual([
      "approved",
      "reversed",
    ]);
  });

  test("leaves the credit where the other branch holds the payment too", async () => {
    const ada = await customer();
    await bitcoin.pay(ada.address, 60_000n);
    await bitcoin.mine(3);
    await pass();
    await bitcoin.reorganise(3, 0);
    await bitcoin.mine(4);
    await pass();
    expect((await depositsOf(ada.id)).map(({ state }) => state)).toEqual(["approved"]);
    expect(await notices(ada.id)).toEqual(["deposit-credited"]);
  });

  test("after the coins were used takes what is there, and the rest when it comes; no balance falls below zero", async () => {
    const ada = await customer();
    const txid = await bitcoin.pay(ada.address, 50_000n);
    await bitcoin.mine(3);
    await pass();
    await spend(ada.id, 30_000n);
    await bitcoin.reorganise(3);
    await pass();
    expect((await getBalances(db, ada.id)).BTC).toEqual({ available: 0n, held: 20_000n });
    expect(await listReversals(db, 1)).toMatchObject([{ state: "orphaned", heldUnits: 20_000n }]);
    expect(await toldStaff(ada.id)).toEqual([false]);
    // Some of it arrives, then all.
    await bitcoin.doubleSpend(txid);
    await bitcoin.pay(ada.address, 10_000n);
    await bitcoin.mine(3);
    await pass();
    await pass();
    expect((await getBalances(db, ada.id)).BTC).toEqual({ available: 0n, held: 30_000n });
    await bitcoin.pay(ada.address, 25_000n);
    await bitcoin.mine(3);
    await pass();
    await pass();
    expect((await getBalances(db, ada.id)).BTC).toEqual({ available: 5_000n, held: 0n });
    expect((await depositsOf(ada.id)).map(({ state }) => state).sort()).toEqual([
      ...["approved", "approved", "reversed"],
    ]);
  });

  test("and comes back before the credit could be taken leaves everything as it was", async () => {
    const ada = await customer();
    await bitcoin.pay(ada.address, 50_000n);
    await bitcoin.mine(3);
    await pass();
    await spend(ada.id, 50_000n);
    await bitcoin.reorganise(3);
    await pass();
    expect((await depositsOf(ada.id))[0]).toMatchObject({ state: "orphaned" });
    await bitcoin.mine(1);
    await pass();
    expect((await depositsOf(ada.id))[0]).toMatchObject({ state: "approved", heldUnits: 0n });
    expect((await getBalances(db, ada.id)).BTC).toEqual({ available: 0n, held: 0n });
  });
});

async function spend(customerId: string, units: bigint): Promise<void> {
  const moves = { available: -units, held: units };
  await postTransfer(db, aTransfer({ kind: "hold", ownerId: customerId, moves }));
  const out = { held: -units, custody: units };
  await postTransfer(db, aTransfer({ kind: "withdrawal-sent", ownerId: customerId, moves: out }));
}

async function toldStaff(customerId: string): Promise<boolean[]> {
  const { rows } = await owner.query(
    `select (payload->>'isDone')::boolean as done
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'deposits/tell-staff-of-reversal'
        and payload->>'depositId' in (select id::text from deposits where customer_id = $1) order by j.id`,
    [customerId],
  );
  return rows.map(({ done }) => done);
}
