import { expect, test } from "vitest";
import { addDays, utcDay } from "#core/utc-day.ts";
import { setEnergyPrice } from "#server/fleet/set-energy-price.ts";
import { postMiningDay } from "#server/mining/days/post-mining-day.ts";
import { noteCustody } from "#server/reconciliation/note-custody.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import {
  createTestContract,
  createTestFleet,
  createTestNetwork,
  createTestPlan,
  createTestPool,
  createTestPriceOfDay,
  recordTestPayout,
} from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { exportBusiness } from "./export-business.ts";
import { type BusinessPeriod, rangeOf, readBusiness } from "./read-business.ts";

const { db, owner } = await testDatabase();
const bought = new Date("2026-01-30T10:00:00Z");
const first = "2026-01-31";
const second = "2026-02-01";
const after = (day: string, minutes = 7) =>
  new Date(Date.parse(`${addDays(day, 1)}T00:00:00Z`) + minutes * 60_000);

const { siteId } = await createTestFleet(db, { ghs: 10_000n, from: "2026-01-31" });
const tessa = await createTestOperator(db, { role: "treasurer" });
const bill = { siteId, effectiveFrom: "2026-02-01", usdMicrosPerKwh: 50_000n, evidence: "Bill" };
await setEnergyPrice(db, tessa, bill, new Date("2026-02-01T09:00:00Z"));
const { versionId } = await createTestPlan(db, { now: bought, termDays: 10 });
const ada = await createTestCustomer(db);
const { contractId } = await createTestContract(db, { customerId: ada.id, versionId, now: bought });
const { rows } = await owner.query("select units from contracts where id = $1", [contractId]);
const price = BigInt(rows[0].units);
for (let day = "2026-01-29"; day <= "2026-02-03"; day = addDays(day, 1)) {
  await owner.query(
    `insert into market_candles values ('BTC', $1, 5e12, 5e12, 5e12, 5e12, '{kraken,coinbase}', true, false, now())`,
    [day],
  );
}
const poolId = await createTestPool(db, { from: first });
const payouts = new Map([
  [first, 1_000n],
  [second, 1_200n],
]);
// The worker notes a day in its first hour, and credits the mining day a little later.
await noteCustody(db, after("2026-01-29"));
await noteCustody(db, after("2026-01-30"));
for (const [day, units] of payouts) {
  await noteCustody(db, after(day));
  await createTestPriceOfDay(db, day);
  await createTestNetwork(db, day);
  await recordTestPayout(db, { poolId, day, units, deliveredGhs: 10_000n });
  await postMiningDay(db, day, after(day, 40));
}
await noteCustody(db, after("2026-02-02"));
const now = new Date("2026-02-03T09:00:00Z");
const february = () => readBusiness(db, { by: "day", month: "2026-02" }, now);

test("a contract is sold on one day, and a tenth of it is earned with each day served", async () => {
  const january = await readBusiness(db, { by: "day", month: "2026-01" }, now);
  const day = (of: string) => january.rows.find(({ period }) => period === of);
  expect(day("2026-01-30")?.booked.sold.coins.BTC).toBe(price);
  expect(day("2026-01-30")?.prepaid?.coins.BTC).toBe(price);
  expect(day("2026-01-30")?.booked.earned.coins.BTC).toBe(0n);
  const { rows, total } = await february();
  expect(rows.map(({ period, goesOn }) => [period, goesOn])).toEqual([
    ["2026-02-01", false],
    ["2026-02-02", false],
    ["2026-02-03", true],
  ]);
  // The first mining day is booked on the day after, in the month after.
  expect(rows[0]?.booked.earned.coins.BTC).toBe(price / 10n);
  expect(rows[0]?.credited).toEqual([first]);
  expect(total.booked.earned.coins.BTC).toBe((price * 2n) / 10n);
  expect(total.prepaid?.coins.BTC).toBe(price - (price * 2n) / 10n);
  expect(total.booked.sold.coins.BTC).toBe(0n);
  // At $50,000.
  expect(total.booked.earned.usdMicros).toBe(((price * 2n) / 10n) * 500n);
});

test("months are the sums of their days, and agree with the ledger's accounts", async () => {
  const { rows } = await readBusiness(db, { by: "month", year: "2026" }, now);
  expect(rows.map(({ period }) => period)).toEqual(["2026-01", "2026-02"]);
  expect(rows[0]?.booked.sold.coins.BTC).toBe(price);
  const booked = async (account: string) => {
    const { rows: found } = await owner.query(
      "select units from house_balances() where account = $1 and asset = 'BTC'",
      [account],
    );
    return BigInt(found[0].units);
  };
  const sum = (figure: "earned" | "maintenance") =>
    rows.reduce((all, { booked: each }) => all + each[figure].coins.BTC, 0n);
  expect(sum("earned")).toBe(await booked("contract_revenue"));
  expect(sum("maintenance")).toBe(await booked("maintenance_revenue"));
  expect(sum("maintenance")).toBeGreaterThan(0n);
});

test("pools, the operator's own share and energy stand beside it, and a missing price is said", async () => {
  const { total, pools } = await february();
  expect(pools).toMatchObject([{ poolId, paid: { coins: { BTC: 1_200n } } }]);
  const { rows: runs } = await owner.query(
    "select sum(operator_share_sats) as sats from mining_runs",
  );
  expect(total.booked.ownShare.coins.BTC).toBe(BigInt(runs[0].sats));
  // Ten machines of 3,000 W for two days that are over.
  expect(total.energy).toEqual({
    wattHours: 1_440_000n,
    usdMicros: 72_000_000n,
    lacksPrice: false,
  });
  const january = await readBusiness(db, { by: "day", month: "2026-01" }, now);
  expect(january.total.energy.lacksPrice).toBe(true);
  expect(january.total.leftUsdMicros).toBeNull();
});

test("what is left is of days that are over and noted, whose energy is counted", async () => {
  const left = async (at: string, by: "day" | "month" = "day") => {
    const period = by === "day" ? { by, month: "2026-02" } : { by, year: "2026" };
    const { rows, total } = await readBusiness(db, period as BusinessPeriod, new Date(at));
    return { of: rows.map(({ leftUsdMicros }) => leftUsdMicros), total: total.leftUsdMicros };
  };
  const { of, total } = await left("2026-02-03T09:00:00Z");
  const [first = null, second = null, today] = of;
  expect(today).toBe("later");
  expect(total).toBe(BigInt(first ?? 0n) + BigInt(second ?? 0n));
  expect((await left("2026-02-03T09:00:00Z", "month")).of[1]).toBe(total);
  expect(await left("2026-02-02T23:59:00Z")).toEqual({ of: [first, "later"], total: first });
  expect(await left("2026-02-01T23:59:00Z")).toEqual({ of: ["later"], total: "later" });
  // The third is over, and what was booked on it stands on the fourth until it is noted.
  expect(await left("2026-02-04T00:03:00Z")).toEqual({
    of: [first, second, "later", "later"],
    total,
  });
});

test("what nobody noted for some days is booked where it was noted, and says since when", async () => {
  const at = new Date("2026-02-07T00:07:00Z");
  await noteCustody(db, new Date("2026-02-04T00:07:00Z"));
  const { rows } = await readBusiness(db, { by: "day", month: "2026-02" }, at);
  const today = rows.find(({ period }) => period === utcDay(at));
  expect(today?.since).toBe("2026-02-04");
  expect(rows.find(({ period }) => period === "2026-02-05")?.prepaid).toBeNull();
});

test("the file has the page's rows, and taking it away leaves a line in the audit log", async () => {
  const csv = await exportBusiness(db, tessa, { by: "month", year: "2026" }, now);
  const [head, january] = csv.split("\r\n").map((line) => line.split(","));
  const cell = (name: string) => january?.[(head ?? []).findIndex((each) => each.endsWith(name))];
  expect(cell("period (UTC)")).toBe("2026-01");
  expect(cell("sold less refunds BTC")).toBe(`0.${price.toString().padStart(8, "0")}`);
  expect(cell("an energy price is missing")).toBe("yes");
  const { rows: acts } = await owner.query(
    "select operator_id, detail from audit_log where act = 'business/export'",
  );
  expect(acts).toEqual([{ operator_id: tessa.id, detail: { by: "month", year: "2026" } }]);
});

test("a period ends with today, or with its last day", () => {
  expect(rangeOf({ by: "day", month: "2026-02" }, "2026-03-05").until).toBe("2026-02-28");
  expect(rangeOf({ by: "month", year: "2026" }, "2026-03-05")).toEqual({
    from: "2026-01-01",
    until: "2026-03-05",
  });
});

test("a month that was taken out of the database is named, and keeps its totals", async () => {
  await owner.query(
    "insert into months (parent, month, detached_at) values ('ledger_transfers', '2026-01-01', now())",
  );
  const { rows } = await readBusiness(db, { by: "month", year: "2026" }, now);
  expect(rows.map(({ isTakenOut }) => isTakenOut)).toEqual([true, false]);
  expect(rows[0]?.booked.sold.coins.BTC).toBe(price);
});

test("what customers had no longer to give back is taken off the operator's own share", async () => {
  const before = (await february()).total.booked.ownShare.coins.BTC;
  await owner.query(
    `begin; set local session_replication_role = replica; alter table mining_corrections disable trigger all;
     insert into mining_corrections (payout_id, day, number, state, payout_sats, distributable_sats, delivered_ghs, shared_ghs,
       payout_change_sats, customers_change_sats, lost_sats, reserved_sats, operator_change_sats, started_at, posted_at)
     values (gen_random_uuid(), '${first}', 9, 'posted', 900, 900, 1, 1, -100, -80, 30, 0, -20, now(), '2026-02-02T12:00:00Z'); commit`,
  );
  expect((await february()).total.booked.ownShare.coins.BTC).toBe(before - 50n);
});
