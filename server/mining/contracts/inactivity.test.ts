import { expect, test } from "vitest";
import { getBalances } from "#server/ledger/get-balances.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite, nightAfter } from "#tests/factories/mining-site.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { verifyMining } from "../verify-mining.ts";
import { notifyOfInactivity } from "./notify-of-inactivity.ts";

const { db, owner } = await testDatabase();
const first = "2026-02-01";
const site = await createMiningSite(db, { firstDay: first });
const idle = await createTestCustomer(db);
await creditTestDeposit(db, idle.id, 1_000_000n, { now: new Date("2026-01-01T12:00:00Z") });
const balance = async () => (await getBalances(db, idle.id)).BTC.available;
const run = (nth: number) => site.run(dayAfter(first, nth), 100n, 1_000n);

test("an account is not charged before its owner was told, seven days ahead", async () => {
  // Nobody is told: the job of mails is down, for longer than the notice.
  for (let nth = 0; nth < 10; nth += 1) await run(nth);
  expect(await balance()).toBe(1_000_000n);
  const fee = `insert into inactivity_fees (customer_id, day, notice_id, balance_sats, fee_sats, usd_micros, total_usd_micros)
    select customer_id, '2026-02-10', id, 1000000, 685, 685000, 685000 from inactivity_notices`;
  await expect(owner.query(fee)).rejects.toMatchObject({
    constraint: "inactivity_fees_are_told_ahead",
  });

  await notifyOfInactivity(db, nightAfter("2026-02-10"));
  const { rows } = await owner.query(
    "select (payload ->> 'notice')::json ->> 'firstFeeDay' as day from graphile_worker._private_jobs where key like 'inactivity-ahead:%'",
  );
  expect(rows).toEqual([{ day: "2026-02-18" }]);
  for (let nth = 10; nth < 17; nth += 1) await run(nth);
  expect(await balance()).toBe(1_000_000n);
  await run(17);
  expect(await balance()).toBe(1_000_000n - 685n);
  expect((await verifyMining(db)).filter(({ holds }) => !holds)).toEqual([]);
});

test("a day is closed with every fee that another process is taking", async () => {
  const day = dayAfter(first, 18);
  const at = nightAfter(day);
  await site.pay(day, 100n, 1_000n);
  await owner.query("select mining_open_day($1, $2, null)", [day, at]);
  // The fee is worked out, and not yet written, when another process closes the day.
  await owner.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(42); return new; end $$;
    create trigger fees_wait before insert on inactivity_fees for each row execute function wait_for_test()`);
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const wait = (count: number) =>
    expect.poll(async () => (await owner.query(waiting)).rowCount, { interval: 5 }).toBe(count);
  const holding = await owner.connect();
  await holding.query("select pg_advisory_lock(42)");
  const charging = owner.query("select mining_charge_inactivity($1, $2)", [day, at]);
  await wait(1);
  const closing = owner.query("select mining_close_day($1, $2)", [day, at]);
  await Promise.race([closing, wait(2)]);
  await holding.query("select pg_advisory_unlock(42)");
  holding.release();
  await Promise.all([charging, closing]);
  await owner.query("drop function wait_for_test cascade");
  const { rows } = await owner.query("select inactivity_sats from mining_runs where day = $1", [
    day,
  ]);
  expect(rows).toEqual([{ inactivity_sats: "685" }]);
  // Nor does one who comes after the close take a fee, or fail.
  const late = "select mining_do('inactivity', $2, array[$3::uuid], $1) as charged";
  const { rows: after } = await owner.query(late, [day, at, idle.id]);
  expect(after).toEqual([{ charged: 0 }]);
  expect((await owner.query("select from mining_failures")).rowCount).toBe(0);
  expect((await verifyMining(db)).filter(({ holds }) => !holds)).toEqual([]);
});
