import type { Pool } from "pg";
import { expect, test } from "vitest";
import { verifyBooks } from "#server/verify-books.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite, houseUnits, nightAfter } from "#tests/factories/mining-site.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findMiningTotals } from "../contracts/find-totals.ts";
import { listContractsWithTotals } from "../contracts/list-contracts-with-totals.ts";
import { notifyOfEndings } from "../contracts/notify-of-endings.ts";
import { listCustomerDays } from "../days/list-customer-days.ts";
import { postMiningDay } from "../days/post-mining-day.ts";
import { listContractDays } from "../receipts/list-contract-days.ts";
import { verifyMining } from "../verify-mining.ts";
import { collectArrears } from "./collect-arrears.ts";
import { expireClocks } from "./expire-grace-periods.ts";
import { listClocks } from "./list-clocks.ts";
import { notifyOfGracePeriods } from "./notify-of-grace-periods.ts";

const hour = 3_600_000;
const plus = (at: Date, ms: number) => new Date(at.getTime() + ms);

/** 1 TH/s that earns 10 satoshi a day and owes 30. */
async function siteAtALoss(firstDay: string, plan: object = {}) {
  const database = await testDatabase();
  const site = await createMiningSite(database.db, { firstDay, ...plan });
  return { ...database, site };
}

test("what the balance does not cover is paid by a top-up, oldest first, which stops the clock", async () => {
  const { db, site } = await siteAtALoss("2024-02-28");
  const customer = await site.customer();
  // Across a leap day: 28 and 29 February.
  await site.run("2024-02-28", 10n, 1_000n);
  const posted = nightAfter("2024-02-28");
  expect(await customer.balance()).toBe(10n);
  expect(await listClocks(db, { now: posted, customerId: customer.id })).toMatchObject([
    { startedAt: posted, expiresAt: new Date("2024-03-03T02:00:00Z"), unpaidSats: 30n },
  ]);
  await site.run("2024-02-29", 10n, 1_000n);
  // Still the first fee's clock, and both fees wait.
  expect(await listClocks(db, { now: posted })).toMatchObject([
    { startedAt: posted, unpaidSats: 60n },
  ]);
  expect(await collectArrears(db, posted)).toEqual({ paid: 0 });

  await creditTestDeposit(db, customer.id, 15n, { now: posted });
  const [later, last] = [plus(posted, 30 * hour), plus(posted, 40 * hour)];
  expect(await collectArrears(db, later)).toEqual({ paid: 1 });
  expect(await customer.balance()).toBe(5n);
  // The second fee is as old as its own posting: its clock has run since then.
  expect(await listClocks(db, { now: later })).toMatchObject([
    { startedAt: nightAfter("2024-02-29"), unpaidSats: 30n },
  ]);
  await creditTestDeposit(db, customer.id, 100n, { now: later });
  expect(await collectArrears(db, last)).toEqual({ paid: 1 });
  expect(await collectArrears(db, last)).toEqual({ paid: 0 });
  expect(await listClocks(db, { now: last })).toEqual([]);
  expect(await customer.balance()).toBe(75n);
  expect(await expireClocks(db, plus(posted, 100 * hour))).toEqual({ cancelled: 0 });
  // 20 mined, 60 paid, at $100,000.
  expect((await findMiningTotals(db, customer.id)).profitUsdMicros).toBe(-40_000n);
  const [contract] = await listContractsWithTotals(db, customer.id);
  expect(contract).toMatchObject({ creditedSats: 20n, feesSats: 60n, unpaidSats: 0n });
});

test("a chunk takes from its own customers alone: who has no contract any more waits for nobody there", async () => {
  const { db, owner, site } = await siteAtALoss("2026-03-01");
  const ids = [await site.customer(), await site.customer(), await site.customer()].map(
    ({ id }) => id,
  );
  await site.run("2026-03-01", 0n, 3_000n);
  // Between the others, so that a chunk's range has this one, too.
  const [, ended = ""] = ids.toSorted();
  await owner.query("alter table contracts disable trigger user");
  await owner.query(
    "update contracts set last_day = '2026-03-01', end_reason = 'unpaid-maintenance', ended_at = '2026-03-02' where customer_id = $1",
    [ended],
  );
  await creditTestDeposit(db, ended, 100n, { now: nightAfter("2026-03-01") });
  // As the job that collects what is owed holds the customer.
  const collecting = await owner.connect();
  await collecting.query("begin");
  await collecting.query("select ledger_lock_customers($1::uuid[])", [[ended]]);
  await site.run("2026-03-02", 0n, 2_000n);
  await collecting.query("rollback");
  collecting.release();
  const { rows } = await owner.query(
    "select state from maintenance_arrears where customer_id = $1",
    [ended],
  );
  expect(rows).toEqual([{ state: "open" }]);
});

test("72 hours unpaid cancel: the days not served go back, to the satoshi; before that nothing happens", async () => {
  const { db, owner, site } = await siteAtALoss("2024-12-31", { priceUsdCents: 1_001n });
  const customer = await site.customer();
  const before = await customer.balance();
  for (const day of ["2024-12-31", "2025-01-01", "2025-01-02"]) await site.run(day, 5n, 1_000n);
  // Two of the hours of each night were not counted: the day before was not worked out yet.
  const posted = nightAfter("2025-01-02");
  expect(await listClocks(db, { now: posted })).toMatchObject([{ leftMs: 28 * hour }]);
  expect(await expireClocks(db, nightAfter("2025-01-03"))).toEqual({ cancelled: 0 });
  await site.run("2025-01-03", 5n, 1_000n);
  const end = plus(posted, 30 * hour);
  expect(await expireClocks(db, plus(end, -1))).toEqual({ cancelled: 0 });
  expect(await expireClocks(db, end)).toEqual({ cancelled: 1 });
  expect(await expireClocks(db, plus(end, hour))).toEqual({ cancelled: 0 });
  expect(await listClocks(db, { now: end })).toEqual([]);
  const [contract] = await listContractsWithTotals(db, customer.id);
  // 4 of 30 days served of 10,010 satoshi: floor(10010 x 4 / 30) = 1334 earned.
  expect(contract).toMatchObject({
    lastDay: "2025-01-03",
    endReason: "unpaid-maintenance",
    unpaidSats: 0n,
    servedDays: 4,
    refundedUnits: 10_010n - 1_334n,
  });
  expect(await customer.balance()).toBe(before + 20n + 10_010n - 1_334n);
  expect(await houseUnits(owner, "contract_prepaid")).toBe(0n);
  expect(await houseUnits(owner, "contract_revenue")).toBe(1_334n);
  const days = await listContractDays(db, customer.contractId, { limit: 9 });
  expect(new Set(days.map(({ feeState }) => feeState))).toEqual(new Set(["lapsed"]));
  const range = { from: "2024-12-31", to: "2025-01-03" };
  const due = (await listCustomerDays(db, customer.id, range)).map(({ feeSats }) => feeSats);
  expect(due).toEqual([0n, 0n, 0n, 0n]);
  await site.run("2025-01-04", 5n, 1_000n);
  expect(await listContractDays(db, customer.contractId, { limit: 9 })).toHaveLength(4);
});

test("a clock stands still while a day that is over is not worked out, whoever waits, and runs on with all that was left", async () => {
  const { db, owner, site } = await siteAtALoss("2026-03-01");
  const customer = await site.customer();
  await site.run("2026-03-01", 0n, 1_000n);
  // From two o'clock until the end of the 2nd it has run 22 hours; the evidence of the 2nd is a week late.
  const late = new Date("2026-03-10T09:00:00Z");
  expect(await expireClocks(db, late)).toEqual({ cancelled: 0 });
  expect(await listClocks(db, { now: late })).toMatchObject([
    {
      leftMs: 50 * hour,
      expiresAt: plus(late, 50 * hour),
      waitsFor: { day: "2026-03-02", since: new Date("2026-03-03T00:00:00Z") },
    },
  ]);
  await notifyOfGracePeriods(db, late);
  const { rows } = await owner.query("select notices from maintenance_clocks");
  expect(rows).toEqual([{ notices: 1 }]);
  await expect(
    owner.query("update maintenance_clocks set state = 'expired', ended_at = $1", [late]),
  ).rejects.toThrow("when every day that is over is worked out");

  for (let day = "2026-03-02"; day < "2026-03-10"; day = dayAfter(day, 1)) {
    await site.run(day, 0n, 1_000n, late);
  }
  expect(await listClocks(db, { now: late })).toMatchObject([
    { leftMs: 50 * hour, expiresAt: plus(late, 50 * hour), waitsFor: null },
  ]);
  // 15 hours of the 10th, then 22 of the 11th, whose evidence comes at two o'clock as usual, and 13 of the 12th.
  for (const day of ["2026-03-10", "2026-03-11"]) await site.run(day, 0n, 1_000n);
  const end = new Date("2026-03-12T15:00:00Z");
  expect(await expireClocks(db, plus(end, -1))).toEqual({ cancelled: 0 });
  expect(await expireClocks(db, end)).toEqual({ cancelled: 1 });
  const [contract] = await listContractsWithTotals(db, customer.id);
  expect(contract).toMatchObject({ lastDay: "2026-03-11", servedDays: 11 });
});

test("what a late day brings keeps the contract whose clock had nearly run out", async () => {
  const { db, site } = await siteAtALoss("2026-03-01");
  const customer = await site.customer();
  for (const day of ["2026-03-01", "2026-03-02", "2026-03-03"]) await site.run(day, 5n, 1_000n);
  const late = new Date("2026-03-20T02:00:00Z");
  expect(await expireClocks(db, late)).toEqual({ cancelled: 0 });
  // 15 are there and 120 are due with this day: it brings them.
  await site.run("2026-03-04", 105n, 1_000n, late);
  expect(await expireClocks(db, late)).toEqual({ cancelled: 0 });
  expect(await listClocks(db, { now: late })).toEqual([]);
  expect(await customer.balance()).toBe(0n);
});

test("a plan that forfeits keeps the price of days not served", async () => {
  const { db, owner, site } = await siteAtALoss("2026-03-01", {
    priceUsdCents: 1_001n,
    termination: "forfeit",
  });
  const customer = await site.customer();
  for (const day of ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]) {
    await site.run(day, 5n, 1_000n);
  }
  expect(await expireClocks(db, new Date("2026-03-05T08:00:00Z"))).toEqual({ cancelled: 1 });
  const [contract] = await listContractsWithTotals(db, customer.id);
  expect(contract).toMatchObject({ refundedUnits: 0n, forfeitedUnits: 10_010n - 1_334n });
  expect(await customer.balance()).toBe(20n);
  expect(await houseUnits(owner, "contract_prepaid")).toBe(0n);
  expect(await houseUnits(owner, "contract_revenue")).toBe(10_010n);
});

test("a balance that covers it at the last moment keeps the contract", async () => {
  const { db, site } = await siteAtALoss("2026-03-01");
  const customer = await site.customer();
  for (const day of ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]) {
    await site.run(day, 5n, 1_000n);
  }
  const end = new Date("2026-03-05T08:00:00Z");
  await creditTestDeposit(db, customer.id, 100n, { now: end });
  expect(await expireClocks(db, end)).toEqual({ cancelled: 0 });
  expect(await customer.balance()).toBe(0n);
  expect(await listClocks(db, { now: end })).toEqual([]);
});

test("the oldest contract is paid first, and nothing behind the first that is not covered", async () => {
  const { db, site } = await siteAtALoss("2026-03-01");
  const bought = new Date("2026-02-28T09:00:00Z");
  const customer = await site.customer({ quantity: 2, now: bought });
  await site.customer({ customerId: customer.id });
  await creditTestDeposit(db, customer.id, 30n, { now: bought });
  // Owes 60 for the older, 30 for the younger contract; has 30 and earns 20 and 10.
  await site.run("2026-03-01", 30n, 3_000n);
  const totals = await listContractsWithTotals(db, customer.id);
  expect(totals.map(({ ghs, feesSats, unpaidSats }) => [ghs, feesSats, unpaidSats])).toEqual([
    [1_000n, 0n, 30n],
    [2_000n, 60n, 0n],
  ]);
  expect(await customer.balance()).toBe(0n);
  await creditTestDeposit(db, customer.id, 29n, { now: bought });
  await site.run("2026-03-02", 0n, 3_000n);
  // 29 do not cover what is owed from yesterday, so nothing of today is taken either.
  expect(await customer.balance()).toBe(29n);
  // Owed: 30 for the younger since yesterday, 60 and 30 since today. What is said to be missing stops each clock, no less.
  const now = nightAfter("2026-03-02");
  const clocks = await listClocks(db, { now });
  const missing = (ghs: bigint) => clocks.find((clock) => clock.ghs === ghs)?.missingSats ?? 0n;
  expect([missing(2_000n), missing(1_000n)]).toEqual([61n, 91n]);
  const stillRunning = async (sats: bigint) => {
    await creditTestDeposit(db, customer.id, sats, { now: bought });
    await collectArrears(db, now);
    return (await listClocks(db, { now })).map(({ ghs }) => ghs);
  };
  expect(await stillRunning(60n)).toHaveLength(2);
  expect(await stillRunning(1n)).toEqual([1_000n]);
  expect(await stillRunning(30n)).toEqual([]);
});

test("each clock is told of when it has run 0, 24 and 48 hours, once, and the ending always", async () => {
  const { db, owner, site } = await siteAtALoss("2026-03-01");
  await site.customer();
  await site.run("2026-03-01", 5n, 1_000n);
  const posted = nightAfter("2026-03-01");
  const told = async () => {
    const { rows } = await owner.query(
      "select key from graphile_worker._private_jobs where key like 'maintenance-clock:%' or key like 'contract-ended:%'",
    );
    return rows.length;
  };
  const toldAt = async (...hours: number[]) => {
    const seen: number[] = [];
    for (const each of hours) {
      await notifyOfGracePeriods(db, plus(posted, each * hour));
      seen.push(await told());
    }
    return seen;
  };
  expect(await toldAt(0, 1, 23.9)).toEqual([1, 1, 1]);
  await site.run("2026-03-02", 5n, 1_000n);
  // From midnight to two it stood still.
  expect(await toldAt(25.9, 26, 47)).toEqual([1, 2, 2]);
  await site.run("2026-03-03", 5n, 1_000n);
  expect(await toldAt(51.9, 52, 71)).toEqual([2, 3, 3]);
  await site.run("2026-03-04", 5n, 1_000n);
  await expireClocks(db, plus(posted, 78 * hour));
  await notifyOfEndings(db, plus(posted, 78 * hour));
  await notifyOfEndings(db, plus(posted, 79 * hour));
  expect(await told()).toBe(4);
});

/** One of them is in the middle of its transaction when the other begins, which waits for it until it has committed. */
async function oneBehindTheOther(owner: Pool, first: string, second: string) {
  const client = await owner.connect();
  await client.query("begin");
  const { rows } = await client.query(`select pg_backend_pid() as pid, ${first} as answer`);
  const following = owner.query(`select ${second} as answer`);
  const waiting =
    "select count(*)::int as count from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
  const waits = async () => (await owner.query(waiting, [rows[0].pid])).rows[0].count;
  await expect.poll(waits, { interval: 10 }).toBe(1);
  await client.query("commit");
  client.release();
  return [rows[0].answer, (await following).rows[0].answer];
}

test("a clock that is set while its day is closed stands still for the whole of it, whoever comes first", async () => {
  const { db, owner, site } = await siteAtALoss("2026-03-01");
  const customer = await site.customer();
  for (const day of ["2026-03-01", "2026-03-02"]) await site.run(day, 0n, 1_000n);
  for (const closesFirst of [false, true]) {
    const day = closesFirst ? "2026-03-04" : "2026-03-03";
    const at = `'${nightAfter(day).toISOString()}'`;
    await site.pay(day, 0n, 1_000n);
    await owner.query(`select mining_open_day('${day}', ${at}, null)`);
    await owner.query(`select mining_post_chunk('${day}', ${at})`);
    // Pays for the oldest day: the clock of the next one is set, which has run since that day was posted.
    await creditTestDeposit(db, customer.id, 30n, { now: nightAfter(day) });
    const collect = `mining_collect_arrears(${at}, array(select distinct customer_id from maintenance_arrears where state = 'open'))`;
    const close = `mining_close_day('${day}', ${at})`;
    const ends = closesFirst ? [close, collect] : [collect, close];
    expect(new Set(await oneBehindTheOther(owner, ends[0] ?? "", ends[1] ?? ""))).toEqual(
      new Set([1, true]),
    );
    expect(await listClocks(db, { now: nightAfter(day) })).toMatchObject([
      { startedAt: nightAfter(dayAfter(day, -1)), leftMs: 50 * hour },
    ]);
  }
});

test("a clock whose moment was before midnight ends nothing on a day that is being worked out", async () => {
  const { db, owner, site } = await siteAtALoss("2026-03-01", { priceUsdCents: 1_001n });
  await site.customer();
  for (const day of ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]) {
    await site.run(day, 5n, 1_000n);
  }
  const early = owner.query(
    "update contracts set last_day = '2026-03-03', end_reason = 'unpaid-maintenance', ended_at = now()",
  );
  await expect(early).rejects.toThrow("after 2026-03-03 is worked out already");
  const [day, next] = ["2026-03-05", "2026-03-06"];
  for (const each of [day, next]) await site.pay(each, 5n, 1_000n);
  // Somebody's minute began before midnight, and somebody else is faster.
  await owner.query(`select mining_open_day('${day}', '${next}T00:00:01Z', null)`);
  await owner.query(`select mining_post_chunk('${day}', '${next}T00:00:01Z')`);
  expect(await expireClocks(db, new Date(`${day}T23:59:59Z`))).toEqual({ cancelled: 0 });
  await postMiningDay(db, day, nightAfter(day));
  // He is not, and the day that is opened meanwhile is worked out without the contract.
  const ends = [
    `mining_expire_clocks('${next}T23:59:59Z')`,
    `mining_open_day('${next}', '2026-03-07T00:00:01Z', null)`,
  ] as const;
  expect(await oneBehindTheOther(owner, ...ends)).toEqual([1, true]);
  await postMiningDay(db, next, nightAfter(next));
  const { rows } = await owner.query(
    "select last_day::text, (select max(day)::text from mining_contract_days) as receipt from contracts",
  );
  expect(rows).toEqual([{ last_day: day, receipt: day }]);
  // 5 of 30 days served of 10,010 satoshi: floor(10010 x 5 / 30) = 1668 earned, the rest went back.
  expect(await houseUnits(owner, "contract_revenue")).toBe(1_668n);
  expect(await houseUnits(owner, "contract_prepaid")).toBe(0n);
  expect((await verifyMining(db)).filter(({ holds }) => !holds)).toEqual([]);
});

test("ends, top-ups and the closing of the day, all at once and again and again, leave what one of them after the other would", async () => {
  const { db, owner, site } = await siteAtALoss("2026-03-01");
  const customers: Awaited<ReturnType<typeof site.customer>>[] = [];
  while (customers.length < 6) customers.push(await site.customer());
  const days = Array.from({ length: 5 }, (_, nth) => dayAfter("2026-03-01", nth));
  for (const [nth, day] of days.entries()) {
    await site.pay(day, 0n, 6_000n);
    const at = nightAfter(day);
    // Of six, two pay all, two the oldest day's only, and two nothing.
    const topUps = customers.slice(0, 4).map(({ id }, which) => async () => {
      await creditTestDeposit(db, id, which < 2 ? 300n : 30n, { now: at });
      await collectArrears(db, at);
    });
    await Promise.all([
      postMiningDay(db, day, at),
      ...[0, 1, 2].map(() => expireClocks(db, plus(at, nth * hour))),
      ...(nth > 0 ? topUps.map((topUp) => topUp()) : []),
    ]);
    await collectArrears(db, at);
    const { rows } = await owner.query(`
      select (select count(*)::int from maintenance_clocks where state = 'running' and stood <> clocks_stood(started_at)) as wrong,
             (select count(*)::int from (select contract_id from maintenance_clocks where state = 'running') k
                full join (select distinct contract_id from maintenance_arrears where state = 'open') a using (contract_id)
               where k.contract_id is null or a.contract_id is null) as unmatched,
             (select count(*)::int from contracts c where c.last_day <>
                (select max(day) from mining_contract_days d where d.contract_id = c.id)) as overrun`);
    expect({ day, ...rows[0] }).toEqual({ day, wrong: 0, unmatched: 0, overrun: 0 });
  }
  await expireClocks(db, plus(nightAfter(days.at(-1) ?? ""), hour));
  const ended = await Promise.all(
    customers.map(async ({ id }) => (await listContractsWithTotals(db, id))[0]?.endReason ?? null),
  );
  expect(ended.slice(0, 4)).toEqual(Array(4).fill(null));
  expect(ended.slice(4)).toEqual(Array(2).fill("unpaid-maintenance"));
  const checks = [...(await verifyBooks(db)), ...(await verifyMining(db))];
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
});
