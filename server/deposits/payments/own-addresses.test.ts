import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { fundEquity, proposeOutlay } from "#tests/factories/adjustment.ts";
import { coinOfNobody, openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPool } from "#tests/factories/payout.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { approveAdjustment } from "../../adjustments/approve-adjustment.ts";
import type { FoundPayment } from "../../chain/chain-reader.ts";
import { listArrivals } from "../../chain/list-arrivals.ts";
import { recordPayments } from "../../chain/record-payments.ts";
import { deriveLookahead } from "../../chain/wallets/derive-lookahead.ts";
import { listWallets } from "../../chain/wallets/list-wallets.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { listHouseBalances } from "../../ledger/list-house-balances.ts";
import { postTransfer } from "../../ledger/post-transfer.ts";
import { confirmPayout } from "../../payouts/confirm-payout.ts";
import { enterPayout } from "../../payouts/enter-payout.ts";
import { findPayout } from "../../payouts/find-payout.ts";
import { listFreeAddresses } from "../../payouts/list-free-addresses.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { openLog } from "../../platform/log/log.ts";
import { verifyBooks } from "../../verify-books.ts";
import { listResolutionsOf } from "./list-resolutions.ts";
import { decidePaymentResolution, proposePaymentResolution } from "./resolve-payments.ts";
import { settlePayments } from "./settle-payments.ts";

const { db, owner } = await testDatabase();
const config = { ...readConfig({ AUTH_SECRET: "x".repeat(40) }), network: "regtest" as const };
const log = openLog("silent");
const [grace, amir] = [await createTestOperator(db), await createTestOperator(db)];
const key = await openTestWallet(db, grace);
const now = new Date();
const block = { height: 900, hash: "ab".repeat(32), time: now };

await createTestPrice(db, { asset: "BTC", usdE8: 100_000n * 10n ** 8n, observedAt: now });
await owner.query(
  `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
   values ('bitcoin', 1, 1100, $1, $2, $2)`,
  ["cd".repeat(32), now],
);
await owner.query("insert into chain_blocks (chain, height, hash) values ('bitcoin', $1, $2)", [
  ...[block.height, block.hash],
]);
await owner.query(
  "insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', 'following', '', $1, $1)",
  [now],
);

async function customer() {
  const { id } = await createTestCustomer(db);
  return { id, address: await testAddress(db, key, id) };
}

const someTxid = () => createHash("sha256").update(randomBytes(8)).digest("hex");

/** A transaction that pays these addresses, in a block. */
async function paid(
  outputs: Array<[address: string, units: bigint]>,
  place: typeof block | null = block,
  txid = someTxid(),
) {
  const payments = outputs.map(
    ([address, units], outputIndex): FoundPayment => ({
      txid,
      outputIndex,
      asset: "BTC",
      address,
      units,
      coinbase: false,
      raw: new Uint8Array(1),
      spends: [coinOfNobody],
    }),
  );
  await db.transaction((tx) => recordPayments(tx, "bitcoin", payments, place, now));
  return txid;
}

const product = { db, files: testFiles() };
const staff = { maker: grace, checker: amir };
const settle = () => settlePayments({ db, config, log }, now);
const available = async (id: string) => (await getBalances(db, id)).BTC.available;

async function paymentOf(txid: string): Promise<string> {
  const { rows } = await owner.query("select id from chain_payments where txid = $1", [txid]);
  return rows[0].id;
}

async function rule(txid: string, says: "customers" | "operators"): Promise<void> {
  const paymentId = await paymentOf(txid);
  const wanted = { paymentId, says, reason: "Looked at it.", withSimilar: false };
  await proposePaymentResolution(db, grace, wanted, now);
  const [resolution] = await listResolutionsOf(db, paymentId);
  await decidePaymentResolution(
    db,
    amir,
    { resolutionId: resolution?.id ?? "", into: "confirmed" },
    now,
  );
}

async function payout(txid: string, day: string, units: bigint) {
  const poolId = await createTestPool(db, grace);
  const payoutId = crypto.randomUUID();
  await enterPayout(db, grace, { payoutId, poolId, day, units, deliveredGhs: 1n, txid }, now);
  const found = await findPayout(db, payoutId);
  return { payoutId, state: found?.payout.state };
}

test("customers get no address that the wallet shows as one of its next", async () => {
  const people = await Promise.all(Array.from({ length: 4 }, customer));
  const shown = Array.from({ length: 200 }, (_, index) => deriveAddress(key, index));
  for (const { address } of people) expect(shown).not.toContain(address);
  expect(people.map(({ address }) => address).sort()).toEqual(
    Array.from({ length: 4 }, (_, index) => deriveAddress(key, index, 2)).sort(),
  );
});

test("an address at which anything was seen before is given to nobody, and what arrived there is nobody's", async () => {
  const { rows } = await owner.query(
    "select max(derivation_index) + 1 as next from deposit_addresses",
  );
  const next = deriveAddress(key, rows[0].next, 2);
  // In the mempool alone.
  const txid = await paid([[next, 90_000n]], null);
  const ada = await customer();
  expect(ada.address).toBe(deriveAddress(key, rows[0].next + 1, 2));
  await settle();
  expect((await listArrivals(db, 10)).map((each) => each.txid)).toContain(txid);
  await expect(
    owner.query(
      `insert into deposit_addresses (wallet_id, branch, derivation_index, customer_id, address, issued_at)
       select wallet_id, branch, derivation_index, $1, address, now() from wallet_addresses where address = $2`,
      [(await createTestCustomer(db)).id, next],
    ),
  ).rejects.toThrow("at which nothing was ever seen");
});

test("an address that is paid while it is given out is one person's or nobody's", async () => {
  for (let round = 0; round < 8; round += 1) {
    const { rows } = await owner.query(
      "select max(derivation_index) + 1 as next from deposit_addresses",
    );
    const next = deriveAddress(key, rows[0].next, 2);
    const [given, txid] = await Promise.all([customer(), paid([[next, 1_000n]])]);
    await settle();
    expect(await available(given.id)).toBe(given.address === next ? 1_000n : 0n);
    const arrived = (await listArrivals(db, 50)).some((each) => each.txid === txid);
    expect(arrived).toBe(given.address !== next);
  }
});

test("who asks for an address while a payment to the next one is being recorded gets the one after", async () => {
  const { rows } = await owner.query(
    "select max(derivation_index) + 1 as next from deposit_addresses",
  );
  const recording = await owner.connect();
  await recording.query("begin");
  await recording.query(
    "update wallet_addresses set seen_at = now() where branch = 2 and derivation_index = $1",
    [rows[0].next],
  );
  const asked = customer();
  const waits =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await owner.query(waits)).rowCount).toBe(1);
  await recording.query("commit");
  recording.release();
  expect((await asked).address).toBe(deriveAddress(key, rows[0].next + 1, 2));
});

test("what arrives at the operator's own address is proposed to staff until it is recorded, and credited to nobody", async () => {
  const [wallet] = await listWallets(db);
  const [own] = await listFreeAddresses(db, wallet?.id ?? "", 1);
  expect(own?.address).toBe(deriveAddress(key, own?.derivationIndex ?? -1, 0));
  const txid = await paid([[own?.address ?? "", 250_000n]]);
  await settle();
  expect((await listArrivals(db, 1))[0]).toMatchObject({ txid, units: 250_000n, purpose: "own" });
  // The next one is another, and as many are watched ahead as before.
  await deriveLookahead(db, key, now);
  const [next] = await listFreeAddresses(db, wallet?.id ?? "", 1);
  expect(next?.derivationIndex).toBeGreaterThan(own?.derivationIndex ?? 0);
  await payout(txid, "2026-01-01", 250_000n);
  expect((await listArrivals(db, 50)).map((each) => each.txid)).not.toContain(txid);
});

test("a payout whose transaction paid a customer waits for two people, and the deposit is ended by two, so that the coins stand once", async () => {
  const ada = await customer();
  const txid = await paid([[ada.address, 400_000n]]);
  await settle();
  expect(await available(ada.id)).toBe(400_000n);
  const { payoutId, state } = await payout(txid, "2026-01-02", 400_000n);
  expect(state).toBe("proposed");
  await rule(txid, "operators");
  await settle();
  expect(await available(ada.id)).toBe(0n);
  await confirmPayout(db, amir, payoutId, now);
});

test("a credit that was the operator's and is spent is no payout before it is taken back whole", async () => {
  const ada = await customer();
  const txid = await paid([[ada.address, 60_000n]]);
  await settle();
  const spend = { available: -50_000n, conversion: 50_000n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: ada.id, moves: spend }));
  await rule(txid, "operators");
  await settle();
  await expect(payout(txid, "2026-01-04", 60_000n)).rejects.toThrow("payouts/still-credited");
  await paid([[ada.address, 50_000n]]);
  await settle();
  expect((await payout(txid, "2026-01-04", 60_000n)).state).toBe("recorded");
});

test("a payment of the amount of a payout that was recorded before waits for two people; another output of it does not", async () => {
  const [ada, bob] = [await customer(), await customer()];
  const txid = someTxid();
  await payout(txid, "2026-01-03", 70_000n);
  const at = (outputIndex: number, address: string, units: bigint): FoundPayment => ({
    txid,
    outputIndex,
    asset: "BTC",
    address,
    units,
    coinbase: false,
    raw: new Uint8Array(1),
    spends: [coinOfNobody],
  });
  await db.transaction((tx) =>
    recordPayments(
      tx,
      "bitcoin",
      [at(0, ada.address, 70_000n), at(1, bob.address, 8_000n)],
      block,
      now,
    ),
  );
  await settle();
  expect(await available(bob.id)).toBe(8_000n);
  expect(await available(ada.id)).toBe(0n);
  const { rows } = await owner.query(
    "select refusal from chain_payments where txid = $1 and output_index = 0",
    [txid],
  );
  expect(rows[0].refusal).toBe("deposits/may-be-the-operators");
  const { rows: ids } = await owner.query(
    "select id from chain_payments where txid = $1 and output_index = 0",
    [txid],
  );
  const wanted = {
    paymentId: ids[0].id,
    says: "customers",
    reason: "Another output.",
    withSimilar: false,
  } as const;
  await proposePaymentResolution(db, grace, wanted, now);
  const [resolution] = await listResolutionsOf(db, ids[0].id);
  await decidePaymentResolution(
    db,
    amir,
    { resolutionId: resolution?.id ?? "", into: "confirmed" },
    now,
  );
  await settle();
  expect(await available(ada.id)).toBe(70_000n);
});

async function custody(): Promise<bigint> {
  const found = (await listHouseBalances(db)).find(
    ({ account, asset }) => account === "custody" && asset === "BTC",
  );
  return found?.units ?? 0n;
}

test("what moved between own wallets is no customer's before two people say so", async () => {
  const ada = await customer();
  const [early, late] = [someTxid(), someTxid()];
  const move = (txid: string) =>
    proposeOutlay(product, grace, { kind: "wallet-transfer", units: 60_000n, txid });
  await fundEquity(product, staff, { units: 10_000n });
  await approveAdjustment(db, amir, await move(early), new Date());
  // Also another amount: what was moved is the sum of its outputs.
  await paid([[ada.address, 40_000n]], block, early);
  const before = await custody();
  await settle();
  expect(await available(ada.id)).toBe(0n);
  expect(await custody()).toBe(before);
  const { rows } = await owner.query("select refusal from chain_payments where txid = $1", [early]);
  expect(rows[0].refusal).toBe("deposits/may-be-the-operators");
  await rule(early, "customers");
  await settle();
  expect(await available(ada.id)).toBe(40_000n);
  // The other way round, too.
  await paid([[ada.address, 40_000n]], block, late);
  await settle();
  await expect(move(late)).rejects.toThrow("adjustments/payment-already-counted");
});

test("what was taken out may have been paid to a customer, whichever is booked first", async () => {
  const ada = await customer();
  await fundEquity(product, staff, { units: 100_000n });
  const before = await custody();
  for (const isBookedFirst of [true, false]) {
    const txid = someTxid();
    const book = async () => {
      const drawing = { kind: "equity-drawing" as const, units: 30_000n, txid };
      await approveAdjustment(db, amir, await proposeOutlay(product, grace, drawing), new Date());
    };
    if (isBookedFirst) await book();
    await paid([[ada.address, 30_000n]], block, txid);
    await settle();
    if (!isBookedFirst) await book();
  }
  expect(await available(ada.id)).toBe(60_000n);
  // The coins are in the same wallets as before, less the fees, and are hers.
  expect(await custody()).toBe(before - 2_000n);
  const wrong = (await verifyBooks(db)).filter(({ holds }) => !holds);
  // The conversions of this file stand for what customers use.
  expect(wrong.filter(({ detail }) => !detail.endsWith("conversion"))).toEqual([]);
});

test("a payment that two people said was the operator's is no own money of any amount before it is taken back whole", async () => {
  const ada = await customer();
  const txid = await paid([[ada.address, 50_000n]]);
  await settle();
  const spend = { available: -50_000n, conversion: 50_000n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: ada.id, moves: spend }));
  await rule(txid, "operators");
  await settle();
  for (const units of [50_000n, 70_000n]) {
    const funded = fundEquity(product, staff, { units, txid });
    await expect(funded).rejects.toThrow("adjustments/payment-already-counted");
  }
  await paid([[ada.address, 50_000n]]);
  await settle();
  await fundEquity(product, staff, { units: 70_000n, txid });
});
