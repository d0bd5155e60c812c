import { expect, test } from "vitest";
import { sendNotice } from "#server/notices/send-notice.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestPriceOfDay, dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite, nightAfter } from "#tests/factories/mining-site.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findRunway } from "./find-runway.ts";
import { warnOfRunway } from "./warn-of-runway.ts";

const site = { siteName: "Assay", appUrl: "https://assay.example" };
const start = "2026-03-01";
const dayOf = (nth: number) => dayAfter(start, nth);

test("a customer is warned of 14, 7 and 3 days once each, again after a deposit, and not of what is covered", async () => {
  const { db, owner } = await testDatabase();
  // 1 TH/s that earns 10 satoshi a day and owes 30.
  const mine = await createMiningSite(db, { firstDay: start, termDays: 40 });
  const low = await mine.customer();
  const covered = await mine.customer();
  await creditTestDeposit(db, low.id, 320n, { now: nightAfter(dayOf(-1)) });
  await creditTestDeposit(db, covered.id, 800n, { now: nightAfter(dayOf(-1)) });

  /** Works out a day, warns as the job does, and says what was told anew. */
  const live = async (nth: number): Promise<string[]> => {
    const day = dayOf(nth);
    const now = nightAfter(day);
    await mine.run(day, 20n, 2_000n);
    await warnOfRunway(db, { day, after: "00000000-0000-0000-0000-000000000000" }, now);
    const jobs = await owner.query(
      "delete from graphile_worker._private_jobs where key like 'maintenance-runway:%' returning payload",
    );
    for (const { payload } of jobs.rows) await sendNotice(db, { ...payload, site, now });
    const { rows } = await owner.query(
      "select title from notices where kind = 'maintenance-runway' and created_at = $1",
      [now],
    );
    return rows.map(({ title }) => title);
  };
  const told: string[] = [];
  for (let nth = 0; nth < 14; nth += 1) told.push(...(await live(nth)));
  expect(told).toEqual([
    "Your Bitcoin covers maintenance for about 14 days",
    "Your Bitcoin covers maintenance for about 7 days",
    "Your Bitcoin covers maintenance for about 3 days",
  ]);
  expect(await findRunway(db, covered.id, nightAfter(dayOf(13)))).toMatchObject({ days: null });

  await creditTestDeposit(db, low.id, 80n, { now: nightAfter(dayOf(13)) });
  expect(await live(14)).toEqual(["Your Bitcoin covers maintenance for about 5 days"]);
  expect(await live(15)).toEqual([]);
});

test("a runway goes to the end of the last contract, and is none where nothing runs", async () => {
  const { db } = await testDatabase();
  const mine = await createMiningSite(db, { firstDay: start, termDays: 10 });
  const customer = await mine.customer();
  const now = nightAfter(dayOf(-1));
  await createTestPriceOfDay(db, dayOf(-1));
  // Before the first day nothing is mined that could be counted on: 30 satoshi a day.
  await creditTestDeposit(db, customer.id, 299n, { now });
  expect(await findRunway(db, customer.id, now)).toEqual({
    days: 9,
    endsOn: dayOf(9),
    missingSats: 1n,
  });
  await mine.run(dayOf(0), 10n, 1_000n);
  // With 10 satoshi mined a day 279 are more than enough.
  expect(await findRunway(db, customer.id, nightAfter(dayOf(0)))).toEqual({
    days: null,
    endsOn: dayOf(9),
    missingSats: 0n,
  });
  expect(await findRunway(db, "00000000-0000-0000-0000-00000000000a", now)).toBeNull();
});

test("a process that dies right after it closed a day leaves the warnings to the worker", async () => {
  const { db, owner } = await testDatabase();
  const mine = await createMiningSite(db, { firstDay: start });
  await mine.customer();
  await owner.query("alter function mining_settle_endings rename to settle_later");
  await expect(mine.run(start, 20n, 2_000n)).rejects.toThrow("mining_settle_endings");
  const { rows } = await owner.query(
    "select r.state, j.payload ->> 'day' as day from mining_runs r left join graphile_worker._private_jobs j on j.key = 'mining-runway'",
  );
  expect(rows).toEqual([{ state: "posted", day: start }]);
});
