import { randomBytes, randomUUIDv7 } from "node:crypto";
import type pg from "pg";
import { utcDay } from "#core/utc-day.ts";
import { approveAdjustment } from "#server/adjustments/approve-adjustment.ts";
import { giveBackContract } from "#server/contracts/give-back-contract.ts";
import { settlePayments } from "#server/deposits/settle-payments.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { sealTransfers } from "#server/ledger/seal-transfers.ts";
import { snapshotHouseBalances } from "#server/ledger/snapshot-house-balances.ts";
import { collectArrears } from "#server/mining/collect-arrears.ts";
import { expireClocks } from "#server/mining/expire-clocks.ts";
import { postCorrections } from "#server/mining/post-corrections.ts";
import { postMiningDay } from "#server/mining/post-mining-day.ts";
import { askClosing } from "#server/personal-data/ask-closing.ts";
import { leaveRemainder } from "#server/personal-data/leave-remainder.ts";
import { readConfig } from "#server/platform/config.ts";
import type { Db } from "#server/platform/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { openLog } from "#server/platform/log.ts";
import { give, proposeTestReversal } from "./adjustment.ts";
import { openTestWallet, testAddress } from "./chain.ts";
import { creditTestDeposit } from "./credited-deposit.ts";
import { createTestCustomer, testPassword, testSite } from "./customer.ts";
import { createTestPrice } from "./market.ts";
import {
  correctTestPayout,
  createTestContract,
  createTestFleet,
  createTestPlan,
  createTestPool,
  createTestPriceOfDay,
  dayAfter,
  recordTestPayout,
} from "./mining.ts";
import { nightAfter } from "./mining-site.ts";
import { createTestOperator } from "./operator.ts";
import { aTransfer } from "./transfer.ts";
import { letWithdraw, nobodysBrowser, someAddress } from "./withdrawal.ts";
import { documentCancellation, documentRequest, documentSending } from "./withdrawal-document.ts";

const firstDay = "2026-03-02";
const days = 40;

/**
 * Books in which every kind of transfer has happened: forty days of a small site whose customers are served, do not pay, top up,
 * give back, lie idle, pay in, withdraw, are given something, and leave. Sealed in three steps, with two snapshots.
 */
export async function fillBooks({
  db,
  owner,
  files,
}: {
  db: Db;
  owner: pg.Pool;
  files: FileStore;
}): Promise<void> {
  const staff = { maker: await createTestOperator(db), checker: await createTestOperator(db) };
  await mine(db);
  await seal(db);
  await payOnChain(db, owner, staff.maker);
  await withdraw(db, owner, staff.maker.id);
  await seal(db);
  await adjust({ db, files }, staff);
  await leave(db);
  await sealTransfers(db, new Date());
}

async function seal(db: Db): Promise<void> {
  await sealTransfers(db, new Date());
  await snapshotHouseBalances(db, 1);
}

async function mine(db: Db): Promise<void> {
  const bought = new Date(`${dayAfter(firstDay, -1)}T10:00:00Z`);
  await createTestFleet(db, { ghs: 1_000_000n, from: dayAfter(firstDay, -10) });
  const poolId = await createTestPool(db, { from: firstDay });
  const plan = async (wanted: object) =>
    (await createTestPlan(db, { now: bought, priceUsdCents: 1_001n, ...wanted })).versionId;
  const [cheap, long, dear, forfeited] = [
    await plan({ termDays: 5, maintenanceUsdMicros: 5_000n }),
    await plan({ termDays: 60, maintenanceUsdMicros: 5_000n }),
    await plan({ maintenanceUsdMicros: 500_000n }),
    await plan({ maintenanceUsdMicros: 500_000n, termination: "forfeit" }),
  ];
  const buy = async (versionId: string, wanted: object = {}) => {
    const { id } = await createTestCustomer(db, { now: bought });
    const contract = { customerId: id, versionId, now: bought, ...wanted };
    return { id, ...(await createTestContract(db, contract)) };
  };
  await buy(cheap);
  await buy(long, { coin: "USDT" });
  // Two who are alike to the satoshi, but for their names.
  await buy(long);
  await buy(long);
  // Refunded, forfeited, and paid up before it came to that.
  await buy(dear);
  await buy(forfeited);
  const late = await buy(dear);
  const idle = await createTestCustomer(db, { now: bought });
  await creditTestDeposit(db, idle.id, 5_000_000n, { now: bought });
  const returned = await buy(cheap, { coolingOff: true });
  const soon = new Date(bought.getTime() + 3_600_000);
  await giveBackContract(db, { customerId: returned.id, contractId: returned.contractId }, soon);

  const payouts: string[] = [];
  for (let nth = 0; nth < days; nth += 1) {
    const day = dayAfter(firstDay, nth);
    await createTestPriceOfDay(db, day);
    const deliveredGhs = nth === 2 ? 3_000n : 9_000n;
    const units = (deliveredGhs * BigInt(40 + (nth % 5))) / 1_000n + BigInt(nth % 7);
    payouts.push(await recordTestPayout(db, { poolId, day, units, deliveredGhs }));
    await postMiningDay(db, day, nightAfter(day));
    const evening = new Date(`${dayAfter(day, 1)}T20:00:00Z`);
    if (nth === 2) await creditTestDeposit(db, late.id, 100_000n, { now: evening });
    await collectArrears(db, evening);
    await expireClocks(db, evening);
    if (nth === 6 || nth === 7) {
      const units = nth === 6 ? 900n : 100n;
      await correctTestPayout(db, payouts[nth - 4] ?? "", {
        ...{ units, now: new Date(`${dayAfter(day, 1)}T21:00:00Z`) },
      });
      await postCorrections(db, new Date(`${dayAfter(day, 1)}T22:00:00Z`));
    }
  }
}

/** Of four payments one stays, one leaves the chain, one leaves it when most of it is spent, and one of these comes back. */
async function payOnChain(
  db: Db,
  owner: pg.Pool,
  operator: Awaited<ReturnType<typeof createTestOperator>>,
): Promise<void> {
  const key = await openTestWallet(db, operator);
  const now = new Date();
  const hash = "11".repeat(32);
  await owner.query(
    `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
     values ('bitcoin', 1, 10, $1, $2, $2)`,
    [hash, now],
  );
  await owner.query("insert into chain_blocks (chain, height, hash) values ('bitcoin', 5, $1)", [
    hash,
  ]);
  await owner.query(
    `insert into chain_sources (chain, condition, detail, since, asked_at) values ('bitcoin', 'following', '', $1, $1)`,
    [now],
  );
  const paid = [];
  for (const units of [250_000n, 90_000n, 80_000n, 60_000n]) {
    const { id } = await createTestCustomer(db);
    const payment = { id: randomUUIDv7(), txid: randomBytes(32).toString("hex"), customer: id };
    await owner.query(
      "insert into chain_transactions (chain, txid, raw, first_seen_at) values ('bitcoin', $1, $2, $3)",
      [payment.txid, randomBytes(100), now],
    );
    await owner.query(
      `insert into chain_payments (id, chain, txid, output_index, asset, address, units, state, block_height, block_hash,
         block_time, seen_at, changed_at) values ($1, 'bitcoin', $2, 0, 'BTC', $3, $4, 'mined', 5, $5, $6, $6, $6)`,
      [payment.id, payment.txid, await testAddress(db, key, id), units, hash, now],
    );
    paid.push(payment);
  }
  const config = readConfig({ AUTH_SECRET: "x".repeat(40) });
  const context = { db, config, log: openLog("silent") };
  await createTestPrice(db, { asset: "BTC", usdE8: 100_000n * 10n ** 8n, observedAt: now });
  await settlePayments(context, now);
  const [, gone, spent, back] = paid;
  const walletId = (await owner.query("select id from wallets")).rows[0].id;
  // What is left to hold is less than what came.
  for (const each of [spent, back]) {
    const customerId = each?.customer ?? "";
    await postRequest(db, owner, { customerId, units: 1_030_000n, walletId });
  }
  await owner.query(
    `update chain_payments set state = 'orphaned', block_height = null, block_hash = null, block_time = null, orphaned_at = $2
      where id = any ($1)`,
    [[gone?.id, spent?.id, back?.id], now],
  );
  await settlePayments(context, now);
  await owner.query(
    "update chain_payments set state = 'mined', block_height = 5, block_hash = $2, block_time = $3 where id = $1",
    [back?.id, hash, now],
  );
  await settlePayments(context, now);
}

async function withdraw(db: Db, owner: pg.Pool, operatorId: string): Promise<void> {
  const walletId = (await owner.query("select id from wallets")).rows[0].id;
  for (const ends of ["sent", "sent", "cancelled", "waits"] as const) {
    const { id } = await createTestCustomer(db, { now: new Date("2026-06-01T12:00:00Z") });
    await postRequest(db, owner, { customerId: id, units: 200_000n, walletId, operatorId, ends });
  }
}

interface Wanted {
  customerId: string;
  units: bigint;
  walletId: string;
  operatorId?: string;
  ends?: "sent" | "cancelled" | "waits";
}

/** Asked for at noon of a day, and over at noon of the next. */
async function postRequest(
  db: Db,
  owner: pg.Pool,
  { customerId, units, walletId, operatorId = "", ends = "waits" }: Wanted,
): Promise<void> {
  const asked = new Date("2026-06-14T13:00:00Z");
  const now = new Date("2026-06-15T12:00:00Z");
  const address = someAddress();
  await letWithdraw(db, customerId, { units: 1_000_000n, address, now });
  const { rows } = await owner.query(
    "select usable_from from withdrawal_addresses where customer_id = $1",
    [customerId],
  );
  const withdrawalId = randomUUIDv7();
  const leaving = {
    ...{ withdrawalId, customerId, address, units, feeUnits: 5_000n },
    payableFrom: rows[0].usable_from as Date,
  };
  const fact = (at: Date) => ({
    ...{ ownerId: customerId, source: `withdrawal:${withdrawalId}`, day: utcDay(at) },
    occurredAt: at,
  });
  await db.transaction(async (tx) => {
    const { transferId } = await postTransfer(
      tx,
      aTransfer({
        ...{ kind: "withdrawal-request", key: `withdrawal-request:${withdrawalId}` },
        ...{ ...fact(asked), moves: { available: -units, held: units } },
      }),
    );
    await documentRequest(tx, leaving, { transferId, now: asked });
  });
  if (ends === "waits") return;
  const kind = ends === "sent" ? "withdrawal-sent" : "withdrawal-cancelled";
  const moves =
    ends === "sent"
      ? { held: -units, custody: units - 5_000n, withdrawal_fee_revenue: 5_000n }
      : { held: -units, available: units };
  await db.transaction(async (tx) => {
    const { transferId } = await postTransfer(
      tx,
      aTransfer({ kind, key: `${kind}:${withdrawalId}`, ...fact(now), moves }),
    );
    if (ends === "sent") {
      await documentSending(tx, leaving, { transferId, walletId, operatorId, now });
    } else await documentCancellation(tx, withdrawalId, { transferId, now });
  });
}

async function adjust(
  product: { db: Db; files: FileStore },
  staff: Parameters<typeof give>[1],
): Promise<void> {
  const { id } = await createTestCustomer(product.db);
  await give(product, staff, id, { units: 40_000n });
  await give(product, staff, id, { units: 30_000n, kind: "subsidy" });
  const mistake = await give(product, staff, id, { units: 20_000n });
  const reversal = await proposeTestReversal(product, staff.maker, mistake);
  await approveAdjustment(product.db, staff.checker, reversal, new Date());
}

async function leave(db: Db): Promise<void> {
  const { id } = await createTestCustomer(db);
  await creditTestDeposit(db, id, 545n);
  const now = new Date();
  const asked = { password: testPassword, browser: nobodysBrowser, site: testSite, now };
  await askClosing(db, { customerId: id, ...asked });
  const remainder = { asset: "BTC" as const, feeUnits: 5_000n, site: testSite, now };
  await leaveRemainder(db, { customerId: id, ...remainder });
}
