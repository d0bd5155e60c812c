import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SourceHealth } from "#core/payments/source-health.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { proposeOutlay } from "#tests/factories/adjustment.ts";
import { openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, randomTxid } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { killWhileCrediting } from "#tests/faults/kill-while-crediting.ts";
import { startWorker } from "#tests/faults/start-worker.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { bitcoinNodeSource } from "../../chain/bitcoin/bitcoin-node-source.ts";
import type { BlockSource } from "../../chain/bitcoin/block-source.ts";
import { matchOutputs } from "../../chain/bitcoin/match-outputs.ts";
import { parseTransaction } from "../../chain/bitcoin/parse-block.ts";
import { readBitcoin } from "../../chain/bitcoin/read-bitcoin.ts";
import { readMempool } from "../../chain/bitcoin/read-mempool.ts";
import { watchBitcoinSource } from "../../chain/bitcoin/watch-bitcoin.ts";
import { decideDeepReorg, proposeDeepReorg } from "../../chain/decide-deep-reorg.ts";
import { findDeepReorg } from "../../chain/find-deep-reorg.ts";
import { findPosition } from "../../chain/find-position.ts";
import { findSource } from "../../chain/find-source.ts";
import { listDeepReorgs } from "../../chain/list-deep-reorgs.ts";
import { listIncidents } from "../../chain/list-incidents.ts";
import { listReorgs } from "../../chain/list-reorgs.ts";
import { type PaymentPlace, recordPayments } from "../../chain/record-payments.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { postTransfer } from "../../ledger/post-transfer.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { openDatabase } from "../../platform/database.ts";
import { openLog } from "../../platform/log/log.ts";
import { verifyBooks } from "../../verify-books.ts";
import { listDeposits } from "../list-deposits.ts";
import { listReversals } from "../list-reversals.ts";
import { locateDeposit } from "../locate-deposit.ts";
import { creditPayment } from "./credit-payment.ts";
import { listPayments } from "./list-payments.ts";
import { settlePayments } from "./settle-payments.ts";

/** Coins are spent by a kind that the product does not list. */
const ofTestsAlone = "every transfer is of a kind whose documents are asked for";

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

async function watch(): Promise<void> {
  await watchBitcoinSource({ db, config, log, now }, bitcoinNodeSource(bitcoin.url));
}

/** What the worker does: a look at the chain, then the ledger brought to it. */
async function pass(): Promise<void> {
  await watch();
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
    const find = (id: string, who = ada.id) =>
      locateDeposit(
        { db, config: { ...config, bitcoinChain: { url: bitcoin.url } } },
        { customerId: who, txid: id, now: now() },
      );
    // Nobody has looked at it yet.
    expect(await find(txid)).toEqual({ kind: "not-read-yet", inBlock: false });
    const elsewhere = await bitcoin.pay(await bitcoin.call("getnewaddress", [], "miner"), 1_000n);
    const notHere = { kind: "elsewhere", inBlock: false, chain: "bitcoin", missesContracts: false };
    expect(await find(elsewhere)).toEqual(notHere);
    await pass();
    expect(await find(txid)).toMatchObject({ kind: "yours" });
    expect(await find(txid, (await customer()).id)).toEqual(notHere);
    expect(await paymentsOf(ada.id)).toMatchObject([
      { txid, state: "seen", units: 250_000n, confirmations: 0, depositId: null },
    ]);
    const old = await customer();
    await bitcoin.mine();
    // A node without an index shows of what is in a block its unspent outputs, and not its bytes.
    expect(await find(elsewhere, old.id)).toEqual({ kind: "not-read-yet", inBlock: true });
    await pass();
    expect(await find(elsewhere, old.id)).toEqual({ ...notHere, inBlock: true });
    for (const confirmations of [1, 2]) {
      if (confirmations === 2) await bitcoin.mine();
      await pass();
      expect(await paymentsOf(ada.id)).toMatchObject([{ state: "mined", confirmations }]);
      expect(await available(ada.id)).toBe(0n);
    }
    await bitcoin.mine();
    await pass();
    expect(await available(ada.id)).toBe(250_000n);
    const [deposit] = await depositsOf(ada.id);
    expect(deposit).toMatchObject({
      status: "Approved",
      txid,
      quantityUnits: 250_000n,
      confirmations: 3,
      usdCents: 25_000n,
      slipName: null,
      claimedUsdCents: null,
      imageUrl: `/account/deposit/${deposit?.depositId}`,
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
      status: "Approved",
      usdCents: 101_000n,
      quantityUnits: 1_000_000n,
      reviewedAt: expect.any(Date),
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
    await watchBitcoinSource({ db, config, log, now: () => later }, bitcoinNodeSource(bitcoin.url));
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
    // A pass that asked for the newest block a moment before sees it wait while it still counts as mined.
    await readMempool(db, bitcoinNodeSource(bitcoin.url), now());
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

  test("further down than blocks are remembered waits for two people, and is left from the last payment on that both branches have", async () => {
    const [ada, bob] = [await customer(), await customer()];
    for (const { address } of [ada, bob]) {
      await bitcoin.pay(address, 70_000n);
      await bitcoin.mine(3);
      await pass();
    }
    await owner.query(
      "delete from chain_blocks where chain = 'bitcoin' and height < (select height from chain_positions where chain = 'bitcoin')",
    );
    await bitcoin.reorganise(3);
    await pass();
    expect(await findSource(db, "bitcoin")).toMatchObject({ health: "reorg-too-deep" });
    expect(await available(bob.id)).toBe(70_000n);
    const reader = readBitcoin(bitcoinNodeSource(bitcoin.url), "regtest");
    const found = await findDeepReorg(db, reader);
    const { newHash = "", position } = found ?? {};
    const said = { oldHash: position?.hash ?? "", newHash, reason: "A better chain came." };
    await proposeDeepReorg(db, reader, grace, said, now());
    const [proposed] = await listDeepReorgs(db, "bitcoin", 1);
    const confirmed = { deepReorgId: proposed?.id ?? "", into: "confirmed" as const };
    await decideDeepReorg(db, await createTestOperator(db), confirmed, now());
    await pass();
    await pass();
    expect(proposed?.forkHeight).toBe((await paymentsOf(ada.id))[0]?.blockHeight);
    expect(await available(ada.id)).toBe(70_000n);
    expect(await available(bob.id)).toBe(0n);
    await bitcoin.mine(3);
    await pass();
    expect(await available(bob.id)).toBe(70_000n);
  });

  test("takes back what staff approved for it, also what never confirmed; of other transactions nothing is known", async () => {
    const [ada, bob, eve] = [await customer(), await customer(), await customer()];
    const approve = (customerId: string, txid: string) =>
      createTestDeposit(product, { customerId, txid, approvedBy: grace, quantityUnits: 80_000n });
    const [confirmed, early] = [
      await bitcoin.pay(ada.address, 80_000n),
      await bitcoin.pay(bob.address, 80_000n),
    ];
    await approve(ada.id, confirmed);
    await approve(bob.id, early);
    // It paid an address that nobody watches.
    await approve(eve.id, randomTxid("Bitcoin"));
    await pass();
    expect(await available(bob.id)).toBe(80_000n);
    await bitcoin.doubleSpend(early);
    await bitcoin.mine(3);
    await pass();
    expect(await paymentsOf(ada.id)).toMatchObject([{ settledAt: expect.any(Date) }]);
    expect((await depositsOf(bob.id))[0]).toMatchObject({ state: "reversed" });
    expect(await available(bob.id)).toBe(0n);

    await bitcoin.reorganise(3);
    await pass();
    await pass();
    expect((await depositsOf(ada.id))[0]).toMatchObject({ state: "reversed" });
    expect(await available(ada.id)).toBe(0n);
    expect((await notices(ada.id)).at(-1)).toBe("deposit-reversed");
    expect(await toldStaff(ada.id)).toEqual([true]);
    expect((await depositsOf(eve.id))[0]).toMatchObject({ state: "approved" });
    // Back in a block it is credited again, as a deposit of its own.
    await bitcoin.mine(3);
    await pass();
    expect(await available(ada.id)).toBe(80_000n);
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

describe("many at once, and killed at any line", () => {
  test("a worker that is killed (SIGKILL) while it credits leaves half of nothing, and the next one goes on", async () => {
    const people = await Promise.all(Array.from({ length: 6 }, customer));
    const all = people.map(({ id }) => id);
    const txid = await bitcoin.payMany(
      Object.fromEntries(people.map(({ address }) => [address, 7_000n])),
    );
    await bitcoin.mine(3);
    const jobs = ["chain/watch-bitcoin", "deposits/settle-payments"];
    const start = () => startWorker({ applicationUrl, nodeUrl: bitcoin.url }, ...jobs);
    await watch();
    await killWhileCrediting({ owner, start, txid, customerIds: all });
    expect(await Promise.all(all.map(available))).toEqual(Array(6).fill(7_000n));
    expect((await Promise.all(all.map(notices))).flat()).toEqual(Array(6).fill("deposit-credited"));
    expect(
      (await verifyBooks(db)).filter(({ holds, claim }) => !holds && claim !== ofTestsAlone),
    ).toEqual([]);
  });

  test("the same output announced a thousand times by eight at once is one payment and one credit", async () => {
    const ada = await customer();
    const txid = await bitcoin.pay(ada.address, 12_345n);
    const hex = (await bitcoin.node.getRawTransaction(txid))?.hex ?? "";
    const transaction = parseTransaction(Buffer.from(hex, "hex"));
    let inDoubt = 0;
    const announce = async (place: PaymentPlace) => {
      inDoubt += 1;
      await db.transaction(async (tx) => {
        const matched = await matchOutputs(tx, [transaction]);
        expect(matched).toHaveLength(1);
        await recordPayments(tx, "bitcoin", matched, place, now());
      });
    };
    const byEight = (one: () => Promise<void>) => Promise.all(Array.from({ length: 8 }, one));
    // First while nobody knows of it, then when it is in a block and has its confirmations.
    await byEight(async () => {
      for (let i = 0; i < 25; i += 1) await announce(null);
    });
    await bitcoin.mine(3);
    await watch();
    const [payment] = await paymentsOf(ada.id);
    const paymentId = payment?.id ?? "";
    const place = {
      height: payment?.blockHeight ?? 0,
      hash: payment?.blockHash ?? "",
      time: payment?.blockTime ?? now(),
    };
    await byEight(async () => {
      for (let i = 0; i < 100; i += 1) {
        await announce(i % 2 ? place : null);
        if (i % 25 === 0) {
          await creditPayment(db, { ...config, paymentId, needed: 3, now: now() });
        }
      }
    });
    expect(inDoubt).toBe(1000);
    expect(await paymentsOf(ada.id)).toHaveLength(1);
    expect(await depositsOf(ada.id)).toHaveLength(1);
    expect(await available(ada.id)).toBe(12_345n);
  });

  test("the control: without its constraints PostgreSQL would have eight payments of one output", async () => {
    const { db: own, owner: free } = await testDatabase();
    const openKey = await openTestWallet(own, await createTestOperator(own));
    const address = await testAddress(own, openKey, (await createTestCustomer(own)).id);
    /** Eight announce one output at once, and all of them look before one writes. How many payments it is then. */
    const announced = async (txid: string) => {
      const known = "select from chain_payments where txid = $1";
      await free.query(
        "insert into chain_transactions values ('bitcoin', $1, '', now(), array[repeat('0', 64) || ':0'])",
        [txid],
      );
      const eight = Array.from({ length: 8 }, () => free.query(known, [txid]));
      const unknown = (await Promise.all(eight)).filter(({ rowCount }) => rowCount === 0);
      const written = unknown.map(() =>
        free.query(
          `insert into chain_payments (id, chain, txid, output_index, asset, address, units, state, seen_at, changed_at)
           values (gen_random_uuid(), 'bitcoin', $1, 0, 'BTC', $2, 12345, 'seen', now(), now())`,
          [txid, address],
        ),
      );
      await Promise.allSettled(written);
      return (await free.query(known, [txid])).rowCount;
    };
    expect(await announced(randomTxid("Bitcoin"))).toBe(1);
    await free.query(`alter table chain_payments drop constraint one_payment_per_output_and_content;
      drop index one_standing_payment_per_output`);
    expect(await announced(randomTxid("Bitcoin"))).toBe(8);
  });

  test("workers whose connections are cut while they read and credit leave every payment credited once", async () => {
    const people = await Promise.all(Array.from({ length: 5 }, customer));
    for (let block = 0; block < 12; block += 1) {
      await bitcoin.payMany(
        Object.fromEntries(people.map(({ address }) => [address, 1_000n + BigInt(block)])),
      );
      await bitcoin.mine();
    }
    await bitcoin.mine(2);
    const killed = [openDatabase(applicationUrl, log), openDatabase(applicationUrl, log)];
    let failed = 0;
    const work = async (own: typeof db) => {
      await watchBitcoinSource({ db: own, config, log, now }, bitcoinNodeSource(bitcoin.url));
      await settlePayments({ db: own, config, log }, now());
    };
    for (let round = 0; round < 8; round += 1) {
      let isOver = false;
      const passes = Promise.allSettled(killed.map(work)).finally(() => {
        isOver = true;
      });
      for (let cut = 0; cut <= round && !isOver; ) {
        const { rowCount } = await owner.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and usename <> current_user and xact_start is not null`,
        );
        cut += rowCount ?? 0;
      }
      failed += (await passes).filter(({ status }) => status === "rejected").length;
    }
    expect(failed, "passes that were in doubt").toBeGreaterThan(0);
    await Promise.all([pass(), pass()]);
    await pass();
    for (const { id } of people) {
      expect(await available(id)).toBe(12_066n);
      expect(await depositsOf(id)).toHaveLength(12);
    }
    await Promise.all(killed.map((each) => each.$client.end()));
  });
});

describe("a source that cannot be used is seen, and nothing is credited meanwhile", () => {
  test("a node that was killed, until it is there again", async () => {
    const ada = await customer();
    await bitcoin.pay(ada.address, 31_000n);
    await bitcoin.mine(3);
    await watch();
    await bitcoin.kill();
    await pass();
    expect(await findSource(db, "bitcoin")).toMatchObject({ health: "unreachable" });
    expect(await available(ada.id)).toBe(0n);
    await bitcoin.restart();
    await pass();
    expect(await available(ada.id)).toBe(31_000n);
    const [incident] = await listIncidents(db, 1);
    expect(incident).toMatchObject({ health: "unreachable", endedAt: expect.any(Date) });
  });

  const real = () => bitcoinNodeSource(bitcoin.url);
  const cases: Array<[string, SourceHealth, (source: BlockSource) => Partial<BlockSource>]> = [
    ["of another network", "another-chain", () => ({ hashAt: async () => "00".repeat(32) })],
    [
      "that still reads the chain itself",
      "syncing",
      (s) => ({ askTip: async () => ({ ...(await s.askTip()), isSyncing: true }) }),
    ],
    [
      "that has fewer blocks than it had",
      "behind",
      (s) => ({
        askTip: async () => ({
          ...(await s.askTip()),
          height: 90,
          hash: (await s.hashAt(90)) ?? "",
        }),
      }),
    ],
    [
      "whose newest block is of tomorrow",
      "lying",
      (s) => ({
        askTip: async () => ({ ...(await s.askTip()), time: new Date(Date.now() + 86_400_000) }),
      }),
    ],
    [
      "that names another block and sends the right one",
      "lying",
      (s) => ({
        askTip: async () => ({ ...(await s.askTip()), hash: "ab".repeat(32) }),
        hashAt: async (height) => (height === tip + 1 ? "ab".repeat(32) : s.hashAt(height)),
        readBlock: async () => s.readBlock((await s.hashAt(tip + 1)) ?? ""),
      }),
    ],
    [
      "that puts a payment into a block that has none",
      "lying",
      (s) => ({
        readBlock: async (hash) => {
          const block = await s.readBlock(hash);
          // With its length, so that no signature looks like it.
          const script = block.lastIndexOf(Buffer.from("160014", "hex"));
          block[script + 4] = (block[script + 4] ?? 0) ^ 1;
          return block;
        },
      }),
    ],
    [
      "that knows none of our blocks",
      "reorg-too-deep",
      (s) => ({
        hashAt: async (height) => (height === 0 ? s.hashAt(0) : "cd".repeat(32)),
      }),
    ],
  ];
  let tip = 0;
  test.each(cases)("one %s", async (_, health, wrong) => {
    await pass();
    const ada = await customer();
    await bitcoin.pay(ada.address, 41_000n);
    await bitcoin.mine(3);
    tip = (await findPosition(db, "bitcoin"))?.height ?? 0;
    const source = { ...real(), ...wrong(real()) };
    await watchBitcoinSource({ db, config, log, now }, source);
    await settlePayments({ db, config, log }, now());
    expect(await findSource(db, "bitcoin")).toMatchObject({ health });
    expect(await available(ada.id)).toBe(0n);
    expect((await findPosition(db, "bitcoin"))?.height).toBe(tip);
    // The control: the same blocks, told honestly.
    await pass();
    expect(await available(ada.id)).toBe(41_000n);
  });
});

describe("PostgreSQL refuses", () => {
  const credited = async () => {
    const ada = await customer();
    await bitcoin.pay(ada.address, 21_000n);
    await bitcoin.mine(3);
    await pass();
    const [deposit] = await depositsOf(ada.id);
    const [payment] = await paymentsOf(ada.id);
    if (!deposit || !payment) throw new Error("it was credited");
    return { ada, deposit, payment };
  };
  const refusal = (constraint: string) => expect.objectContaining({ constraint });

  test("to rewrite or delete what was paid, and a payment in a block that nobody read", async () => {
    const { payment } = await credited();
    for (const change of ["units = units + 1", "txid = repeat('a', 64)", "output_index = 7"]) {
      await expect(
        owner.query(`update chain_payments set ${change} where id = $1`, [payment.id]),
      ).rejects.toEqual(refusal("payments_are_never_rewritten"));
    }
    await expect(owner.query("delete from chain_payments")).rejects.toThrow("written once");
    await expect(
      owner.query("update chain_payments set block_hash = repeat('b', 64) where id = $1", [
        payment.id,
      ]),
    ).rejects.toEqual(refusal("payments_are_mined_in_known_blocks"));
    await expect(
      owner.query(
        "insert into chain_payments select gen_random_uuid(), chain, txid, output_index, asset, address, 0, false, 'seen' from chain_payments where id = $1",
        [payment.id],
      ),
    ).rejects.toThrow();
  });

  test("a second credit for a payment, one of another quantity or customer, and one without its confirmations", async () => {
    const { ada, deposit, payment } = await credited();
    const bob = await customer();
    const attempt = async (customerId: string, units: bigint, confirmations: number) => {
      const client = await owner.connect();
      const id = randomUUID();
      try {
        await client.query("begin");
        const { rows } = await client.query(
          `select post_transfer(gen_random_uuid(), $1, 'deposit', $2, current_date, now(), 'x', '',
             array[row('available', 'BTC', $3::numeric)::ledger_leg, row('custody', 'BTC', -$3::numeric)::ledger_leg]) as transfer_id`,
          [`deposit:${id}`, customerId, units],
        );
        await client.query(
          `insert into deposits (id, customer_id, submission_key, method, declared_on, created_at, state, image_url,
             quantity_units, txid, output_index, transfer_id, reviewed_at, payment_id, confirmations)
           values ($1, $2, $1, 'Bitcoin', current_date, now(), 'approved', 'x', $3, $4, $5, $6, now(), $7, $8)`,
          [
            id,
            customerId,
            units,
            payment.txid,
            payment.outputIndex,
            rows[0].transfer_id,
            payment.id,
            confirmations,
          ],
        );
        await client.query("commit");
      } finally {
        await client.query("rollback");
        client.release();
      }
    };
    await expect(attempt(ada.id, 21_000n, 3)).rejects.toEqual(refusal("one_deposit_per_payment"));
    // Only a credit that was taken back makes room for another one: pretend that, and try the rest.
    await owner.query("alter table deposits disable trigger user");
    await owner.query(
      "update deposits set state = 'reversed', orphaned_at = now(), reversal_id = transfer_id where id = $1",
      [deposit.depositId],
    );
    await owner.query("alter table deposits enable trigger user");
    for (const [customerId, units, confirmations] of [
      [bob.id, 21_000n, 3],
      [ada.id, 21_001n, 3],
      [ada.id, 21_000n, 100],
    ] as const) {
      await expect(attempt(customerId, units, confirmations)).rejects.toEqual(
        refusal("payments_are_credited_when_confirmed"),
      );
    }
    await attempt(ada.id, 21_000n, 3);
  });

  test("to take a credit back while its block stands, and to count a customer's payment as the operator's", async () => {
    const { deposit, payment } = await credited();
    await expect(
      owner.query("update deposits set state = 'orphaned', orphaned_at = now() where id = $1", [
        deposit.depositId,
      ]),
    ).rejects.toEqual(refusal("credits_follow_the_chain"));
    await expect(
      owner.query("update deposits set quantity_units = 1 where id = $1", [deposit.depositId]),
    ).rejects.toEqual(refusal("deposits_are_reviewed_once"));
    const moved = { kind: "wallet-transfer", units: 21_000n, txid: payment.txid } as const;
    await expect(proposeOutlay(product, grace, moved)).rejects.toThrow(
      "adjustments/payment-already-counted",
    );
  });
});

async function spend(customerId: string, units: bigint): Promise<void> {
  const moves = { available: -units, conversion: units };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: customerId, moves }));
}

async function toldStaff(customerId: string): Promise<boolean[]> {
  const { rows } = await owner.query(
    `select (payload->>'isDone')::boolean as done
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'deposits/notify-staff-of-reversal'
        and payload->>'depositId' in (select id::text from deposits where customer_id = $1) order by j.id`,
    [customerId],
  );
  return rows.map(({ done }) => done);
}
