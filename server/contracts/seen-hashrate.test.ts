import { afterEach, beforeAll, expect, test } from "vitest";
import { addDays, utcDay } from "#core/utc-day.ts";
import { buyTestContract, createTestBuyer, offerTestPlan } from "#tests/factories/contract.ts";
import {
  correctTestPayout,
  createTestFleet,
  createTestPool,
  createTestPriceOfDay,
  readTestNetwork,
  recordTestPayout,
  testReference,
} from "#tests/factories/mining.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { getSalesBounds } from "../fleet/get-sales-bounds.ts";
import { listFleetDays } from "../fleet/list-fleet-days.ts";
import { postMiningDay } from "../mining/days/post-mining-day.ts";
import { verifyBooks } from "../verify-books.ts";
import { findOfferedPlan } from "./list-offered-plans.ts";

const { db, owner } = await testDatabase();
const now = new Date();
const ago = (days: number) => addDays(utcDay(now), -days);
const soldOut = { code: "contracts/not-enough-hashrate" };
let poolId: string;
let plan: Awaited<ReturnType<typeof offerTestPlan>>;

/** A day on which the pools measured so much, and paid for so much. */
async function postDay(day: string, ghs: bigint, paidFor = ghs): Promise<string> {
  await readTestNetwork(owner, day);
  await createTestPriceOfDay(db, day);
  const payoutId = await recordTestPayout(db, {
    poolId,
    day,
    deliveredGhs: ghs,
    units: testReference(paidFor),
  });
  await postMiningDay(db, day, new Date(`${addDays(day, 1)}T02:00:00Z`));
  return payoutId;
}

/** As if the first machines had been entered so many days ago. */
async function age(days: number): Promise<void> {
  await owner.query("alter table machine_deliveries disable trigger user");
  await owner.query(
    "update machine_deliveries set recorded_at = now() - make_interval(days => $1)",
    [days],
  );
  await owner.query("alter table machine_deliveries enable trigger user");
}

const buy = async (quantity: number) =>
  buyTestContract(db, {
    customerId: (await createTestBuyer(db)).id,
    quantity,
    now: new Date(),
    planVersionId: plan.planVersionId,
  });
const free = async () => (await findOfferedPlan(db, plan.slug, { now: new Date() }))?.freeGhs;

beforeAll(async () => {
  await createTestFleet(db, { ghs: 1_000_000n, from: ago(20) });
  const cents = { priceUsdCents: 3n, machinesUsdCents: 1n, setupUsdCents: 1n, marginUsdCents: 1n };
  plan = await offerTestPlan(db, { mostUnits: 10_000, ...cents });
  poolId = await createTestPool(db, { from: ago(13) });
});
afterEach(async () => {
  const checks = await verifyBooks(db);
  const [own] = checks.filter(({ claim }) => claim.startsWith("what is for sale rests on"));
  expect(own).toMatchObject({ holds: true });
});

test("what was entered is for sale for two weeks, and then nothing that no pool saw", async () => {
  expect(await getSalesBounds(db)).toEqual({ seenGhs: null, reservePpm: 0 });
  expect(await free()).toBe(1_000_000n);
  await buy(10);
  await age(15);
  expect(await getSalesBounds(db)).toMatchObject({ seenGhs: 0n });
  expect(await free()).toBe(0n);
  await expect(buy(1)).rejects.toMatchObject(soldOut);
});

test("seven of the last ten days sell their median, whatever else is entered", async () => {
  for (const days of [13, 12, 11, 10, 9, 8]) await postDay(ago(days), 800_000n);
  for (const days of [7, 6, 5]) await postDay(ago(days), 400_000n);
  // Of the last ten days six are posted, or five where midnight comes meanwhile.
  expect(await getSalesBounds(db)).toMatchObject({ seenGhs: 0n });
  for (const days of [4, 3]) await postDay(ago(days), 400_000n);
  expect(await getSalesBounds(db)).toMatchObject({ seenGhs: 400_000n });
  expect(await free()).toBe(390_000n);
  for (let times = 0; times < 9; times += 1)
    await createTestFleet(db, { ghs: 1_000_000n, from: ago(3) });
  expect(await free()).toBe(390_000n);
  await expect(buy(391)).rejects.toMatchObject(soldOut);
  const last = await Promise.allSettled([buy(390), buy(390)]);
  expect(last.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("hashrate that nobody paid for is not for sale, and a correction counts at once, also while a day is closed", async () => {
  const measured = (deliveredGhs: bigint) => ({
    units: testReference(400_000n),
    deliveredGhs,
    now,
  });
  const correct = async (days: number, ghs: bigint) => {
    const { rows } = await owner.query("select id from current_payouts($1)", [ago(days)]);
    await correctTestPayout(db, rows[0].id, measured(ghs));
  };
  await Promise.all([postDay(ago(2), 4_000_000n, 400_000n), correct(3, 4_000_000n)]);
  // Two such days move no median of seven.
  expect(await getSalesBounds(db)).toMatchObject({ seenGhs: 400_000n });
  await correct(4, 4_000_000n);
  // A third would make it 800, but the money does not: 800 and six times 400 on average, times 1.25.
  expect(Number((await getSalesBounds(db)).seenGhs) / 1_000).toBeCloseTo(571.4, 0);
  const [third] = await listFleetDays(db, { from: ago(3), until: ago(3) });
  expect(third?.reportedGhs).toBe(4_000_000n);
});

test("once seven days were posted, fewer sell nothing, however new the machines are", async () => {
  await age(0);
  const client = await owner.connect();
  await client.query("begin");
  await client.query("update capacity_evidence set day = day - 20");
  const { rows } = await client.query("select seen_ghs from sales_bounds()");
  await client.query("rollback");
  client.release();
  expect(rows).toEqual([{ seen_ghs: "0" }]);
});

test("a role of the application writes no evidence, and no machines of before", async () => {
  await expect(
    db.execute("update capacity_evidence set sellable_ghs = 9000000"),
  ).rejects.toMatchObject({ cause: { code: "42501" } });
  await expect(db.execute(`select note_capacity('${ago(1)}')`)).rejects.toMatchObject({
    cause: { code: "42501" },
  });
  await expect(
    db.execute(`insert into machine_deliveries (id, site_id, model, nameplate_ghs, created_at, action_id, recorded_at)
      select gen_random_uuid(), site_id, model, 1, now(), action_id, now() - interval '1 day' from machine_deliveries limit 1`),
  ).rejects.toMatchObject({ cause: { constraint: "machines_are_recorded_now" } });
});
