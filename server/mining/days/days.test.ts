import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestNetwork, dayAfter, sellWhatIsEntered } from "#tests/factories/mining.ts";
import { createMiningSite, houseUnits, nightAfter } from "#tests/factories/mining-site.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { actAsSystem } from "../../identity/audit/act-as-operator.ts";
import { markOf } from "../../identity/settings/settings.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { sealTransfers } from "../../ledger/seal-transfers.ts";
import { verifyClaims } from "../../ledger/verify/verify-claims.ts";
import { verifyLedger } from "../../ledger/verify/verify-ledger.ts";
import { miningClaims } from "../claims.ts";
import { findDowntime } from "../contracts/find-downtime.ts";
import { findMiningTotals } from "../contracts/find-totals.ts";
import { listContractsWithTotals } from "../contracts/list-contracts-with-totals.ts";
import { notifyOfInactivity } from "../contracts/notify-of-inactivity.ts";
import { chooseDigest } from "../digests/choose-digest.ts";
import { lastDigestPeriod } from "../digests/digest-period.ts";
import { sendDigests } from "../digests/send-digests.ts";
import { verifyMining } from "../verify-mining.ts";
import { changeRunSettings } from "./change-run-settings.ts";
import { findRun } from "./find-run.ts";
import { listRuns } from "./list-runs.ts";
import { postAutomatically } from "./post-automatically.ts";
import { previewMiningDay } from "./preview-mining-day.ts";

async function wrongs(db: Awaited<ReturnType<typeof testDatabase>>["db"]) {
  await sealTransfers(db, new Date());
  const checks = [...(await verifyLedger(db)), ...(await verifyMining(db))];
  return checks.filter(({ holds }) => !holds);
}

test("downtime makes a contract run on by whole days, and its hashrate is not sold meanwhile", async () => {
  const { db, owner } = await testDatabase();
  const first = "2024-02-27";
  const site = await createMiningSite(db, {
    firstDay: first,
    termDays: 3,
    maintenanceUsdMicros: 0n,
  });
  const customer = await site.customer({ quantity: 2, units: 1_000n });
  // Served: 0.25, 1, 0, 1, 1 days: 3 are full on the fifth.
  const delivered = [500n, 9_000n, 0n, 2_000n, 2_000n];
  const owed = async () => {
    const { rows } = await owner.query(
      "select day::text, owed_ghs::int as ghs from fleet_days where owed_ghs > 0 order by day",
    );
    return rows.map(({ day, ghs }) => `${day.slice(5)} ${ghs}`);
  };
  const owes: string[][] = [];
  for (const [nth, ghs] of delivered.entries()) {
    const day = dayAfter(first, nth);
    await site.run(day, 100n, ghs);
    owes.push(await owed());
    const [contract] = await listContractsWithTotals(db, customer.id);
    expect(contract?.lastDay ?? null).toBe(nth < 4 ? null : dayAfter(first, 4));
  }
  // Sold for 27 to 29 February; what is missing follows.
  expect(owes.slice(0, 3)).toEqual([["03-01 2000"], ["03-01 2000"], ["03-01 2000", "03-02 2000"]]);
  expect(await houseUnits(owner, "contract_revenue")).toBe(1_000n);
  expect(await houseUnits(owner, "contract_prepaid")).toBe(0n);
  const runs = await listRuns(db, { limit: 9 });
  expect(runs.map(({ servedPpm }) => servedPpm)).toEqual([
    ...[1_000_000n, 1_000_000n, 0n, 1_000_000n, 250_000n],
  ]);
  expect(await findDowntime(db, customer.contractId, { limit: 1 })).toEqual({
    missedPpm: 1_750_000n,
    count: 2,
    days: [{ day: dayAfter(first, 2), servedPpm: 0n }],
  });
  // With nothing delivered, what was paid is shared by what was sold: 100 and the 1 carried.
  expect(runs[2]).toMatchObject({ creditedSats: 101n, operatorShareSats: 0n });
  // The next day has no contracts: everything is the operator's.
  await site.run(dayAfter(first, 5), 77n, 2_000n);
  expect(await findRun(db, dayAfter(first, 5))).toMatchObject({
    contracts: 0,
    creditedSats: 0n,
    operatorShareSats: 77n,
    remainderSats: 0n,
  });
  expect(await wrongs(db)).toEqual([]);
});

test("a contract that begins before the first pool counts is served from that day on", async () => {
  const { db } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: "2026-03-03", termDays: 3 });
  const early = await site.customer({ now: new Date("2026-02-27T10:00:00Z"), units: 300n });
  for (const day of ["2026-03-03", "2026-03-04"]) await site.run(day, 1_000n, 1_000n);
  const [contract] = await listContractsWithTotals(db, early.id);
  expect(contract).toMatchObject({ startsOn: "2026-02-28", servedDays: 2 });
  expect(await wrongs(db)).toEqual([]);
  const ofBooks = await verifyClaims(db, miningClaims);
  expect(ofBooks.filter(({ holds }) => !holds)).toEqual([]);
});

test("a day that paid nothing is a day like any other", async () => {
  const { db } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: "2026-03-01" });
  const customer = await site.customer();
  await creditTestDeposit(db, customer.id, 100n, { now: new Date("2026-02-28T11:00:00Z") });
  await site.run("2026-03-01", 0n, 0n);
  expect(await customer.balance()).toBe(70n);
  expect((await findMiningTotals(db, customer.id)).profitUsdMicros).toBe(-30_000n);
  expect(await findRun(db, "2026-03-01")).toMatchObject({ creditedSats: 0n, servedPpm: 0n });
  expect(await wrongs(db)).toEqual([]);
});

test("what cannot be divided is carried to the next day", async () => {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: "2026-03-01", maintenanceUsdMicros: 0n });
  const three = [await site.customer(), await site.customer(), await site.customer()];
  await site.run("2026-03-01", 11n, 3_000n);
  expect(await houseUnits(owner, "rounding")).toBe(2n);
  await site.run("2026-03-02", 10n, 3_000n);
  expect(await findRun(db, "2026-03-02")).toMatchObject({
    carriedSats: 2n,
    distributableSats: 12n,
  });
  expect(await Promise.all(three.map(({ balance }) => balance()))).toEqual([7n, 7n, 7n]);
  expect(await houseUnits(owner, "rounding")).toBe(0n);
  expect(await houseUnits(owner, "pool_receivable")).toBe(0n);
});

test("days that were missed are caught up in order, by itself, as far as evidence goes and settings allow", async () => {
  const { db } = await testDatabase();
  const first = "2026-03-01";
  const site = await createMiningSite(db, { firstDay: first });
  await site.customer();
  const now = new Date("2026-03-09T05:00:00Z");
  expect(await postAutomatically(db, now)).toEqual([]);
  for (const nth of [3, 1, 0]) await site.pay(dayAfter(first, nth), 40n, 1_000n);
  // Without a figure of the network nothing says whether 40 satoshi are plausible.
  expect(await postAutomatically(db, now)).toEqual([]);
  expect(await previewMiningDay(db, first, now)).toMatchObject({
    state: "ready",
    stops: ["no-reference"],
  });
  for (const nth of [0, 1, 2, 3]) await createTestNetwork(db, dayAfter(first, nth));
  expect(await postAutomatically(db, now)).toEqual([first, dayAfter(first, 1)]);
  await site.pay(dayAfter(first, 2), 40n, 1_000n);
  // At this difficulty the network would have paid 41 satoshi; 400 are something that a person should see.
  await createTestNetwork(db, dayAfter(first, 4));
  await site.pay(dayAfter(first, 4), 400n, 1_000n);
  expect(await postAutomatically(db, now)).toEqual([dayAfter(first, 2), dayAfter(first, 3)]);
  const preview = await previewMiningDay(db, dayAfter(first, 4), now);
  expect(preview).toMatchObject({ state: "ready", stops: ["too-far"], referenceSats: 42n });
  const set = (byItself: boolean, mostDeviationPpm: number) =>
    actAsSystem(
      db,
      { act: "mining/set-automatic", subject: "mining", detail: {}, now },
      (tx, actionId) => changeRunSettings(tx, { byItself, mostDeviationPpm, actionId, now }),
    );
  await set(false, 1);
  expect(await previewMiningDay(db, dayAfter(first, 4), now)).toMatchObject({
    stops: ["not-by-itself", "too-far"],
    mostDeviationPpm: 1,
  });
  await set(false, 10_000_000);
  expect(await postAutomatically(db, now)).toEqual([]);
  await set(true, 10_000_000);
  expect(await postAutomatically(db, now)).toEqual([dayAfter(first, 4)]);
});

test("a clock that jumps a day ahead and back across midnight works out no day twice and leaves none out", async () => {
  const { db, owner } = await testDatabase();
  const days = [1, 2, 3, 4].map((nth) => `2026-03-0${nth}`);
  const site = await createMiningSite(db, { firstDay: "2026-03-01" });
  const customer = await site.customer();
  for (const day of days) {
    await createTestNetwork(db, day);
    await site.pay(day, 40n, 1_000n);
  }
  const moments = ["01T23:59:59", "02T00:00:00", "03T00:00:01", "01T23:59:59", "02T23:59:59"];
  const later = ["04T00:00:00", "03T12:00:00", "05T00:00:00", "04T23:59:59", "06T00:00:01"];
  const posted: string[] = [];
  for (const moment of [...moments, ...later]) {
    const now = new Date(`2026-03-${moment}Z`);
    // Two workers, one of which still has the time of before.
    const ran = await Promise.all([
      postAutomatically(db, now),
      postAutomatically(db, nightAfter(days[0] ?? "")),
    ]);
    posted.push(...ran.flat());
  }
  expect(posted).toEqual(days);
  const { rows } = await owner.query(
    "select array_agg(day::text order by day) as days from mining_contract_days where customer_id = $1",
    [customer.id],
  );
  expect(rows[0].days).toEqual(days);
  expect(await wrongs(db)).toEqual([]);
});

test("an account without a contract is told, and pays after thirty days, never below the minimum withdrawal", async () => {
  const { db, owner } = await testDatabase();
  await sellWhatIsEntered(owner);
  const site = await createMiningSite(db, { firstDay: "2026-01-23" });
  const idle = await createTestCustomer(db);
  const poor = await createTestCustomer(db);
  const busy = await site.customer();
  const arrived = new Date("2026-01-01T12:00:00Z");
  for (const { id } of [idle, busy]) await creditTestDeposit(db, id, 1_000_000n, { now: arrived });
  await creditTestDeposit(db, poor.id, 71_000n, { now: arrived });
  const balance = async (id: string) => (await getBalances(db, id)).BTC.available;
  // From the day before the notice: what comes earlier is like it.
  for (let nth = 22; nth < 34; nth += 1) {
    const day = dayAfter("2026-01-01", nth);
    const run = () => site.run(day, 100n, 1_000n);
    await (nth === 23 ? besideAnother(owner, day, run) : run());
    await notifyOfInactivity(db, nightAfter(day));
    const { rows } = await owner.query(
      "select noticed_at, first_fee_day::text from inactivity_notices",
    );
    expect(rows).toHaveLength(nth < 23 ? 0 : 2);
    if (rows[0]) expect(rows[0].first_fee_day).toBe("2026-02-01");
    // The first fee is of the 31st day after the coins came.
    if (nth === 30) expect(await balance(idle.id)).toBe(1_000_000n);
  }
  expect(await balance(idle.id)).toBe(1_000_000n - 3n * 685n);
  expect(await balance(poor.id)).toBe(70_000n);
  expect(await balance(busy.id)).toBeGreaterThan(1_000_000n);
  expect((await findMiningTotals(db, poor.id)).profitUsdMicros).toBe(-1_000_000n);
  const { rowCount } = await owner.query(
    "select from graphile_worker._private_jobs where key like 'inactivity-ahead:%'",
  );
  expect(rowCount).toBe(2);
  // A new contract ends it.
  await site.customer({ customerId: idle.id, now: new Date("2026-02-04T03:00:00Z") });
  const before = await balance(idle.id);
  // Also on a day on which that cannot be written.
  await owner.query(`
    create function fail_to_note() returns trigger language plpgsql as $$ begin raise exception 'Not now.'; end $$;
    create trigger noting_fails before update on inactivity_notices for each row execute function fail_to_note()`);
  await expect(site.run("2026-02-04", 100n, 1_000n)).rejects.toThrow("Not now.");
  expect(await balance(idle.id)).toBe(before);
  await owner.query("drop trigger noting_fails on inactivity_notices");
  await site.run("2026-02-05", 100n, 1_000n);
  expect(await balance(idle.id)).toBeGreaterThanOrEqual(before);
  expect(await wrongs(db)).toEqual([]);
});

/** Runs a day while another process has noted its idle accounts, and commits when the run waits for that. */
async function besideAnother(
  owner: Awaited<ReturnType<typeof testDatabase>>["owner"],
  day: string,
  run: () => Promise<unknown>,
): Promise<void> {
  const other = await owner.connect();
  await other.query("begin");
  await other.query("select mining_note_inactivity($1, $2)", [day, nightAfter(day)]);
  const running = run();
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(async () => (await owner.query(waiting)).rowCount, { interval: 5 }).toBe(1);
  await other.query("commit");
  other.release();
  await running;
}

test("a digest comes as often as somebody chose, about whole periods, once", async () => {
  const { db, owner } = await testDatabase();
  // A Sunday is 2026-03-01.
  const first = "2026-02-27";
  const site = await createMiningSite(db, { firstDay: first, maintenanceUsdMicros: 0n });
  const [weekly, daily, never] = [
    await site.customer(),
    await site.customer(),
    await site.customer(),
  ];
  const browser = { ipAddress: null, userAgent: null } as never;
  const now = nightAfter(first);
  const seen = markOf({ digest: "week" });
  await chooseDigest(db, { customerId: daily.id, every: "day", seen, browser, now });
  await chooseDigest(db, { customerId: never.id, every: "off", seen, browser, now });
  for (const nth of [0, 1, 2, 3, 4]) {
    const day = dayAfter(first, nth);
    await site.run(day, 30n, 3_000n);
    // The fourth day is missed, and told with the fifth.
    if (nth === 3) continue;
    await sendDigests(db, nightAfter(day));
    await sendDigests(db, nightAfter(day));
  }
  const { rows } = await owner.query(
    "select key from graphile_worker._private_jobs where key like 'mining-digest:%' order by key",
  );
  const keys = rows.map(({ key }) => key.replace("mining-digest:", ""));
  const each = [0, 1, 2].map((nth) => dayAfter(first, nth));
  expect(new Set(keys)).toEqual(
    new Set([
      ...each.map((day) => `${daily.id}:${day}:${day}`),
      `${daily.id}:${dayAfter(first, 3)}:${dayAfter(first, 4)}`,
      `${weekly.id}:2026-02-23:2026-03-01`,
    ]),
  );
});

test.each([
  ["day", "2024-02-29", "2024-02-29", "2024-02-29"],
  ["week", "2024-03-03", "2024-02-26", "2024-03-03"],
  ["week", "2024-03-02", "2024-02-19", "2024-02-25"],
  ["month", "2024-02-29", "2024-02-01", "2024-02-29"],
  ["month", "2024-02-28", "2024-01-01", "2024-01-31"],
] as const)(
  "the last complete %s at the end of %s is %s to %s",
  (every, day, fromDay, throughDay) => {
    expect(lastDigestPeriod(every, day)).toEqual({ fromDay, throughDay });
  },
);
