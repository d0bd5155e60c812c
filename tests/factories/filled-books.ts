import { randomBytes, randomInt, randomUUID, randomUUIDv7 } from "node:crypto";
import type pg from "pg";
import type { Coin as Asset } from "#core/asset.ts";
import type { BatchPurpose } from "#core/payments/withdrawal.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { approveAdjustment } from "#server/adjustments/approve-adjustment.ts";
import { keepEvidence } from "#server/adjustments/keep-evidence.ts";
import { proposeAdjustment } from "#server/adjustments/propose-adjustment.ts";
import type { FoundPayment } from "#server/chain/chain-reader.ts";
import { findPosition } from "#server/chain/find-position.ts";
import { recordBlock } from "#server/chain/record-block.ts";
import { rollBack } from "#server/chain/roll-back.ts";
import { giveBackContract } from "#server/contracts/give-back-contract.ts";
import { listResolutionsOfDeposit } from "#server/deposits/payments/list-resolutions.ts";
import {
  decidePaymentResolution,
  proposeMistake,
  proposePaymentResolution,
} from "#server/deposits/payments/resolve-payments.ts";
import { settlePayments } from "#server/deposits/payments/settle-payments.ts";
import { takeBackMistake } from "#server/deposits/payments/take-back-credit.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { sealTransfers } from "#server/ledger/seal-transfers.ts";
import { snapshotHouseBalances } from "#server/ledger/snapshot-house-balances.ts";
import { notifyOfInactivity } from "#server/mining/contracts/notify-of-inactivity.ts";
import { postCorrections } from "#server/mining/days/post-corrections.ts";
import { postMiningDay } from "#server/mining/days/post-mining-day.ts";
import { retryCustomers } from "#server/mining/days/retry-customers.ts";
import { collectArrears } from "#server/mining/grace-periods/collect-arrears.ts";
import { expireClocks } from "#server/mining/grace-periods/expire-grace-periods.ts";
import { confirmPayout } from "#server/payouts/confirm-payout.ts";
import { enterPayout } from "#server/payouts/enter-payout.ts";
import { recordCovered } from "#server/payouts/record-covered.ts";
import { askClosing } from "#server/personal-data/ask-closing.ts";
import { leaveRemainder } from "#server/personal-data/leave-remainder.ts";
import { readConfig } from "#server/platform/config/read-config.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { openLog } from "#server/platform/log/log.ts";
import { publishProofDays } from "#server/proof/publish-days.ts";
import {
  abandonBatch,
  decideAbandonment,
  proposeAbandonment,
} from "#server/withdrawals/batches/abandon-batch.ts";
import { type BuiltVersion, formBatch } from "#server/withdrawals/batches/form-batch.ts";
import { rebuildBatch } from "#server/withdrawals/batches/rebuild-batch.ts";
import { type Coin, outpointOf } from "#server/withdrawals/bitcoin/coin.ts";
import { settleBatch } from "#server/withdrawals/bitcoin/settle-batch.ts";
import type { Withdrawal } from "#server/withdrawals/give-back.ts";
import { withdrawalBatchCoins } from "#server/withdrawals/schema.ts";
import { fundEquity, give, proposeTestReversal } from "./adjustment.ts";
import { coinOfNobody, openTestWallet, testAddress } from "./chain.ts";
import { creditTestDeposit } from "./credited-deposit.ts";
import { createTestCustomer, testPassword, testSite } from "./customer.ts";
import { createTestDeposit, notScanned, uniquePicture } from "./deposit.ts";
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
import { nameTestAddress } from "./pool-coins.ts";
import { aTransfer } from "./transfer.ts";
import {
  createApprovedWithdrawal,
  createBitcoinPrice,
  createWithdrawer,
  letWithdraw,
  nobodysBrowser,
  someAddress,
  testTwoPeople,
} from "./withdrawal.ts";
import {
  aMark,
  documentCancellation,
  documentRequest,
  documentSending,
} from "./withdrawal-document.ts";

const firstDay = "2026-03-02";
const days = 40;

/**
 * Books in which every kind of transfer has happened: forty days of a small site whose customers are served, do not pay, top up,
 * give back, lie idle, are set apart, pay in, withdraw, are given something, and leave, and whose operator takes own money out. What
 * ends by two people ended so: payments, batches, own money. Sealed in three steps, with two snapshots.
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
  await mine(db, owner);
  await seal(db);
  await publishProofDays(db);
  const wallet = await openTestWallet(db, staff.maker);
  await formBatches(db, owner, staff);
  await payOnChain({ db, files }, { owner, staff, wallet });
  await approveByMistake({ db, files }, { owner, staff });
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

async function mine(db: Db, owner: pg.Pool): Promise<void> {
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
  const apart = await buy(long);
  const idle = await createTestCustomer(db, { now: bought });
  await creditTestDeposit(db, idle.id, 5_000_000n, { now: bought });
  const returned = await buy(cheap, { coolingOff: true });
  const soon = new Date(bought.getTime() + 3_600_000);
  await giveBackContract(db, { customerId: returned.id, contractId: returned.contractId }, soon);

  const trouble = incidentOf({ db, owner, customerId: apart.id });
  const payouts: string[] = [];
  for (let nth = 0; nth < days; nth += 1) {
    const day = dayAfter(firstDay, nth);
    await createTestPriceOfDay(db, day);
    const deliveredGhs = nth === 2 ? 3_000n : 9_000n;
    const units = (deliveredGhs * BigInt(40 + (nth % 5))) / 1_000n + BigInt(nth % 7);
    payouts.push(await recordTestPayout(db, { poolId, day, units, deliveredGhs }));
    await trouble.before(nth);
    await postMiningDay(db, day, nightAfter(day));
    const evening = new Date(`${dayAfter(day, 1)}T20:00:00Z`);
    if (nth === 2) await creditTestDeposit(db, late.id, 100_000n, { now: evening });
    await trouble.after(nth, evening);
    await collectArrears(db, evening);
    await expireClocks(db, evening);
    await notifyOfInactivity(db, evening);
    if (nth === 6 || nth === 7) {
      const units = nth === 6 ? 900n : 100n;
      await correctTestPayout(db, payouts[nth - 4] ?? "", {
        units,
        now: new Date(`${dayAfter(day, 1)}T21:00:00Z`),
      });
      await postCorrections(db, new Date(`${dayAfter(day, 1)}T22:00:00Z`));
    }
  }
}

/** A customer who cannot be posted for four days, catches up, and cannot be posted on the last day. */
function incidentOf({ db, owner, customerId }: { db: Db; owner: pg.Pool; customerId: string }) {
  return {
    async before(nth: number): Promise<void> {
      if (nth !== 22 && nth !== days - 1) return;
      await owner.query(`
        create function fail_for_one() returns trigger language plpgsql as $$
        begin
          if new.customer_id = '${customerId}' then raise exception 'This customer cannot be posted.'; end if;
          return new;
        end $$;
        create trigger one_fails before insert on mining_customer_days for each row execute function fail_for_one()`);
    },
    async after(nth: number, evening: Date): Promise<void> {
      if (nth !== 25 && nth !== days - 1) return;
      await owner.query("drop function fail_for_one cascade");
      if (nth === 25) await retryCustomers(db, evening);
    },
  };
}

type Staff = Record<"maker" | "checker", Awaited<ReturnType<typeof createTestOperator>>>;

/**
 * Of the first four payments one stays, one leaves the chain, one leaves it when most of it is spent, and one of these comes back.
 * Of the others two people say whose they were: the operator's own, once with the credit unspent and once without, nobody's that
 * can be credited, and a customer's in spite of own money of that amount. A payout shares its transaction with the first.
 */
async function payOnChain(
  product: { db: Db; files: FileStore },
  { owner, staff, wallet }: { owner: pg.Pool; staff: Staff; wallet: WalletKey },
): Promise<void> {
  const { db } = product;
  const began = Date.now() - 90 * 60_000;
  const at = (minutes: number) => new Date(began + minutes * 60_000);
  const mine = await startChain(db, owner, at(0));
  const config = readConfig({ AUTH_SECRET: "x".repeat(40) });
  const context = { db, config, log: openLog("silent") };
  const settle = (minutes: number) => settlePayments(context, at(minutes));
  await createTestPrice(db, { asset: "BTC", usdE8: 100_000n * 10n ** 8n, observedAt: at(0) });
  const pay = async (units: bigint, txid = randomBytes(32).toString("hex")) => {
    const { id: customerId } = await createTestCustomer(db);
    const address = await testAddress(db, wallet, customerId);
    const what = { txid, outputIndex: 0, asset: "BTC" as const, address, units };
    return {
      customerId,
      found: {
        ...what,
        coinbase: false,
        raw: randomBytes(100),
        spends: [coinOfNobody],
      },
    };
  };
  const rule = (payment: Paid, resolved: Omit<Resolved, "txid" | "now">, minutes: number) =>
    rulePayment({ db, owner, staff }, { txid: payment.found.txid, ...resolved, now: at(minutes) });

  const stays = await pay(250_000n);
  const [mistaken, owed] = [await pay(70_000n), await pay(50_000n)];
  const [gone, spent, back] = [await pay(90_000n), await pay(80_000n), await pay(60_000n)];
  await mine([stays, mistaken, owed], at(0));
  const fork = await findPosition(db, "bitcoin");
  await mine([gone, spent, back], at(0), 6);
  await settle(1);
  const walletId = (await owner.query("select id from wallets")).rows[0].id;
  // What is left to hold is less than what came.
  for (const { customerId } of [spent, back, owed]) {
    await postRequest(db, owner, { customerId, units: 1_030_000n, walletId });
  }
  const position = await findPosition(db, "bitcoin");
  if (!position || !fork) throw new Error("blocks were read");
  await rollBack(db, "bitcoin", { position, fork }, at(2));
  await settle(2);
  const dust = await pay(600n);
  const own = { units: 40_000n, txid: randomBytes(32).toString("hex") };
  await fundEquity(product, staff, own);
  const alike = await pay(own.units, own.txid);
  await mine([back, dust, alike], at(3), 6);
  await rule(dust, { says: "set-aside" }, 3);
  await settle(4);
  await rule(stays, { says: "operators", into: "declined" }, 5);
  for (const payment of [mistaken, owed]) await rule(payment, { says: "operators" }, 5);
  await rule(alike, { says: "customers" }, 5);
  await settle(6);

  const { rows } = await owner.query(
    "select pool_id, max(day + 1)::text as day from pool_payouts group by 1",
  );
  const payout = { payoutId: randomUUIDv7(), units: 30_000n, deliveredGhs: 9_000n };
  const of = { poolId: rows[0].pool_id, day: rows[0].day, txid: stays.found.txid };
  await enterPayout(db, staff.maker, { ...payout, ...of }, at(80));
  await confirmPayout(db, staff.checker, payout.payoutId, at(81));

  // From now on the pool has an address: a coin covers one day, and two people stand for another.
  const { poolId, day } = of;
  const address = await nameTestAddress(db, staff.checker, { poolId, key: wallet });
  const { customerId, found } = await pay(20_000n);
  await mine([{ customerId, found: { ...found, address } }], at(82), 6);
  const [seen, unseen] = [
    { ...payout, payoutId: randomUUIDv7(), poolId, day: addDays(day, 1), units: 20_000n },
    { ...payout, payoutId: randomUUIDv7(), poolId, day: addDays(day, 2), units: 10_000n },
  ];
  await enterPayout(db, staff.maker, { ...seen, txid: found.txid }, at(83));
  await recordCovered(db, at(83));
  await enterPayout(db, staff.maker, { ...unseen, txid: randomBytes(32).toString("hex") }, at(84));
  await confirmPayout(db, staff.checker, unseen.payoutId, at(85), "Paid to another wallet");
}

/** Two deposits that staff approved by mistake: one is taken back whole, of the other most was used. */
async function approveByMistake(
  product: { db: Db; files: FileStore },
  { owner, staff }: { owner: pg.Pool; staff: Staff },
): Promise<void> {
  const { db } = product;
  const now = new Date();
  const walletId = (await owner.query("select id from wallets")).rows[0].id;
  for (const isSpent of [false, true]) {
    const { id: customerId } = await createTestCustomer(db);
    const approval = { customerId, approvedBy: staff.maker, quantityUnits: 65_000n };
    const { depositId } = await createTestDeposit(product, approval);
    if (isSpent) await postRequest(db, owner, { customerId, units: 1_030_000n, walletId });
    await proposeMistake(db, staff.maker, { depositId, reason: "It was 6,500." }, now);
    const [resolution] = await listResolutionsOfDeposit(db, depositId);
    const confirmed = { resolutionId: resolution?.id ?? "", into: "confirmed" as const };
    await decidePaymentResolution(db, staff.checker, confirmed, now);
    await takeBackMistake(db, { depositId, now });
  }
}

interface Paid {
  customerId: string;
  found: FoundPayment;
}

/** A chain that is followed. Returns how a block with payments is read, and empty ones after it. */
async function startChain(db: Db, owner: pg.Pool, now: Date) {
  const hash = randomBytes(32).toString("hex");
  await owner.query(
    `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
     values ('bitcoin', 1, 4, $1, $2, $2)`,
    [hash, now],
  );
  await owner.query(
    `insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', 'following', '', $1, $1)`,
    [now],
  );
  return async (payments: Paid[], time: Date, blocks = 1) => {
    for (let nth = 0; nth < blocks; nth += 1) {
      const before = await findPosition(db, "bitcoin");
      if (!before) throw new Error("the chain has begun");
      const found = nth === 0 ? payments.map((payment) => payment.found) : [];
      const block = { hash: randomBytes(32).toString("hex"), time, bits: null };
      const findPayments = async () => found;
      await recordBlock(db, "bitcoin", { ...block, findPayments }, before, time);
    }
  };
}

interface Resolved {
  txid: string;
  says: "customers" | "operators" | "set-aside";
  into?: "confirmed" | "declined";
  now: Date;
}

/** One person says whose a payment is, and another one decides. */
async function rulePayment(
  { db, owner, staff }: { db: Db; owner: pg.Pool; staff: Staff },
  { txid, says, into = "confirmed", now }: Resolved,
): Promise<void> {
  const { rows } = await owner.query("select id from chain_payments where txid = $1", [txid]);
  const paymentId: string = rows[0].id;
  const wanted = { paymentId, says, reason: "As the pool told us.", withSimilar: false };
  await proposePaymentResolution(db, staff.maker, wanted, now);
  const resolution = await owner.query(
    "select resolution_id as id from resolved_payments join payment_resolutions r on r.id = resolution_id where payment_id = $1 and r.state = 'open'",
    [paymentId],
  );
  await decidePaymentResolution(
    db,
    staff.checker,
    { resolutionId: resolution.rows[0].id, into },
    now,
  );
}

async function withdraw(db: Db, owner: pg.Pool, operatorId: string): Promise<void> {
  const walletId = (await owner.query("select id from wallets")).rows[0].id;
  for (const ends of ["sent", "sent", "cancelled", "waits"] as const) {
    const { id } = await createTestCustomer(db, { now: new Date("2026-06-01T12:00:00Z") });
    await postRequest(db, owner, { customerId: id, units: 200_000n, walletId, operatorId, ends });
  }
}

/** One batch is built again without a coin that is gone, one is ended by two people, and one pays nobody. */
async function formBatches(db: Db, owner: pg.Pool, staff: Staff): Promise<void> {
  const asked = new Date("2026-06-14T13:00:00Z");
  const now = new Date("2026-06-15T12:00:00Z");
  const walletId: string = (await owner.query("select id from wallets")).rows[0].id;
  await createBitcoinPrice(db, asked);
  const approve = async () => {
    const customer = await createWithdrawer(db, { now: asked });
    return createApprovedWithdrawal(db, { customer, operator: staff.maker, now: asked });
  };
  const form = async (purpose: BatchPurpose, only: string[], coins: Coin[]) => {
    const [anchor = aCoin()] = coins;
    const row = { walletId, changeIndex: randomInt(2 ** 31) };
    const plan = {
      chain: "bitcoin" as const,
      purpose,
      lockedBy: walletId,
      formedHeight: 1,
      only,
      build: async (tx: Tx, due: Withdrawal[]) => ({
        ...(await aVersion(tx, coins, due)),
        row: { ...row, anchorTxid: anchor.txid, anchorVout: anchor.vout },
      }),
    };
    const batch = { submissionKey: randomUUID(), twoPeople: testTwoPeople, plan };
    return (await formBatch(db, staff.maker, batch, now)).batchId;
  };
  const settle = async (batchId: string) => {
    const minedHash = randomBytes(32).toString("hex");
    await owner.query(
      `update withdrawal_batches set mined_height = 3, mined_hash = $2, mined_version_id =
         (select id from withdrawal_batch_versions where batch_id = $1 order by number desc limit 1) where id = $1`,
      [batchId, minedHash],
    );
    await settleBatch(db, { batchId, minedHash }, now);
  };
  const decide = async (batchId: string, into: "confirmed" | "declined") => {
    await proposeAbandonment(
      db,
      staff.maker,
      { batchId, reason: "It pays the wrong people." },
      now,
    );
    const { rows } = await owner.query(
      "select id from withdrawal_abandonments where batch_id = $1 and state = 'open'",
      [batchId],
    );
    const abandonmentId: string = rows[0].id;
    await decideAbandonment(db, staff.checker, { batchId, abandonmentId, into }, now);
  };

  const [anchor, gone, instead] = [aCoin(), aCoin(), aCoin()];
  const rebuilt = await form("withdrawals", [await approve()], [anchor, gone]);
  const build = async (tx: Tx, { pays }: { pays: Withdrawal[] }) =>
    aVersion(tx, [anchor, instead], pays);
  const plan = { chain: "bitcoin" as const, build };
  const again = { batchId: rebuilt, after: 1, leaveOut: [], reason: "A coin is gone." };
  await rebuildBatch(db, staff.maker, { ...again, plan }, now);
  await settle(rebuilt);

  const ended = await form("withdrawals", [await approve(), await approve()], [aCoin(900_000n)]);
  await decide(ended, "confirmed");
  await abandonBatch(db, ended, now);

  const merged = await form("consolidation", [], [aCoin(), aCoin(), aCoin()]);
  await decide(merged, "declined");
  await settle(merged);
}

const aCoin = (units = 150_000n): Coin => ({
  txid: randomBytes(32).toString("hex"),
  vout: 0,
  units,
  branch: 0,
  index: 0,
  blockHash: "00".repeat(32),
});

/** A transaction of these coins that pays these withdrawals, and the wallet the rest. */
async function aVersion(tx: Tx, coins: Coin[], pays: Withdrawal[]): Promise<BuiltVersion> {
  const unmarked = { mark: null, unsigned: randomBytes(1) };
  const feeUnits = 1_000n;
  const spent = coins.reduce((sum, { units }) => sum + units, 0n);
  const paid = pays.reduce((sum, each) => sum + each.units - each.feeUnits, 0n);
  return {
    columns: {
      feePerKvb: 1_000,
      maxFeePerGas: null,
      maxPriorityFeePerGas: null,
      feeUnits,
      changeUnits: spent - paid - feeUnits,
      txid: randomBytes(32).toString("hex"),
      ...(pays.length > 0 ? await aMark(tx) : unmarked),
      spends: coins.map(outpointOf),
      pays: pays.map(({ id }) => id),
    },
    detail: {},
    async before(tx, batchId) {
      const rows = coins.map(({ index: derivationIndex, ...coin }) => ({
        batchId,
        derivationIndex,
        ...coin,
      }));
      await tx.insert(withdrawalBatchCoins).values(rows).onConflictDoNothing();
    },
  };
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
    withdrawalId,
    customerId,
    address,
    units,
    feeUnits: 5_000n,
    payableFrom: rows[0].usable_from as Date,
  };
  const fact = (at: Date) => ({
    ownerId: customerId,
    source: `withdrawal:${withdrawalId}`,
    day: utcDay(at),
    occurredAt: at,
  });
  await db.transaction(async (tx) => {
    const { transferId } = await postTransfer(
      tx,
      aTransfer({
        kind: "withdrawal-request",
        key: `withdrawal-request:${withdrawalId}`,
        ...fact(asked),
        memo: `To ${address}`,
        moves: { available: -units, held: units },
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

async function adjust(product: { db: Db; files: FileStore }, staff: Staff): Promise<void> {
  const { id } = await createTestCustomer(product.db);
  await give(product, staff, id, { units: 40_000n });
  await give(product, staff, id, { units: 30_000n, kind: "subsidy" });
  const mistake = await give(product, staff, id, { units: 20_000n });
  const reversal = await proposeTestReversal(product, staff.maker, mistake);
  await approveAdjustment(product.db, staff.checker, reversal, new Date());
  await takeOut(product, staff);
}

/** Own money that left with its fee, coins between own wallets, and a payment of USDT, which costs ether and was a mistake. */
async function takeOut(product: { db: Db; files: FileStore }, staff: Staff): Promise<void> {
  const { db } = product;
  const keeper = { ...product, scanForViruses: notScanned };
  const wei = 10n ** 14n;
  await fundEquity(product, staff, { units: 100_000n });
  await fundEquity(product, staff, { units: 10n * wei, asset: "ETH" });
  await fundEquity(product, staff, { units: 10_000_000n, asset: "USDT" });
  const send = async (kind: "equity-drawing" | "wallet-transfer", asset: Asset, units: bigint) => {
    const now = new Date();
    const file = { name: "invoice.png", bytes: await uniquePicture() };
    const { evidenceId } = await keepEvidence(keeper, staff.maker.id, file, now);
    const id = randomBytes(32).toString("hex");
    const fact = { kind, asset, units, evidenceId, customerId: null, reason: "Electricity" };
    const payment =
      asset === "BTC" ? { txid: id, feeUnits: 1_000n } : { txid: `0x${id}`, feeUnits: wei };
    const proposal = { ...fact, ...payment, submissionKey: randomUUID(), note: "" };
    const { adjustmentId } = await proposeAdjustment(db, staff.maker, proposal, now);
    await approveAdjustment(db, staff.checker, adjustmentId, now);
    return adjustmentId;
  };
  await send("equity-drawing", "BTC", 50_000n);
  await send("wallet-transfer", "BTC", 700_000n);
  for (const mistake of [
    await send("equity-drawing", "USDT", 5_000_000n),
    await send("wallet-transfer", "ETH", 900n * wei),
  ]) {
    const reversal = await proposeTestReversal(product, staff.maker, mistake);
    await approveAdjustment(db, staff.checker, reversal, new Date());
  }
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
