import type { Pool } from "pg";
import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { testPassword, testSite } from "#tests/factories/customer.ts";
import { correctTestPayout, createTestPlan, dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite, nightAfter } from "#tests/factories/mining-site.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { resetPassword } from "../../identity/passwords/reset-password.ts";
import type { Db } from "../../platform/database.ts";
import { verifyBooks } from "../../verify-books.ts";
import { collectArrears } from "../grace-periods/collect-arrears.ts";
import { expireClocks } from "../grace-periods/expire-grace-periods.ts";
import { listClocks } from "../grace-periods/list-clocks.ts";
import { verifyMining } from "../verify-mining.ts";
import { findReservedDays, listCustomersApart } from "./list-customers-apart.ts";
import { notifyStaffOfCustomersApart } from "./notify-staff-of-customers-apart.ts";
import { postCorrections } from "./post-corrections.ts";
import { postMiningDay } from "./post-mining-day.ts";
import { retryCustomers } from "./retry-customers.ts";

const first = "2026-03-01";

test("a fee that rounds to nothing is paid, also by a customer who owes another", async () => {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: first });
  const customer = await site.customer();
  const now = new Date(`${dayAfter(first, -1)}T11:00:00Z`);
  for (const terms of [{ maintenanceUsdMicros: 0n }, { unitGhs: 10n }]) {
    const { versionId } = await createTestPlan(db, { now, ...terms });
    await site.again(customer.id, { versionId, now });
  }
  // The pool pays nothing: there is no credit to pay a fee from.
  for (const nth of [0, 1]) {
    expect(await site.run(dayAfter(first, nth), 0n, 0n)).toEqual({ posted: true });
  }
  const { rows } = await owner.query(
    "select fee_sats::int as fee, fee_paid as paid from mining_contract_days order by day, fee_sats",
  );
  const day = [
    { fee: 0, paid: true },
    { fee: 0, paid: true },
    { fee: 30, paid: false },
  ];
  expect(rows).toEqual([...day, ...day]);
  expect((await owner.query("select from maintenance_arrears")).rowCount).toBe(2);
  expect(await listCustomersApart(db, { limit: 10 })).toEqual([]);
  await expectTrueBooks(db);
});

async function expectTrueBooks(db: Db): Promise<void> {
  const checks = [...(await verifyBooks(db)), ...(await verifyMining(db))];
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
}

/** Five days of three customers with two contracts each, of whom one fails on the second day where asked, until healed. */
async function liveFiveDays({ fails }: { fails: boolean }) {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: first, termDays: 4 });
  const customers = [await site.customer(), await site.customer(), await site.customer()];
  for (const { id } of customers) {
    const now = new Date(`${dayAfter(first, -1)}T11:00:00Z`);
    await site.again(id, { quantity: 2, now });
  }
  const [, broken] = customers;
  if (!broken) throw new Error("there are three");
  const days = Array.from({ length: 5 }, (_, nth) => dayAfter(first, nth));
  const [one = "", two = "", three = "", four = "", five = ""] = days;
  expect(await site.run(one, 10_007n, 11_000n)).toEqual({ posted: true });
  if (fails) await breakCustomer({ owner, condition: `new.customer_id = '${broken.id}'` });
  expect(await site.run(two, 10_009n, 5_000n)).toEqual({ posted: true });
  expect(await site.run(three, 10_013n, 11_000n)).toEqual({ posted: true });
  const payout = site.payouts.get(two) ?? "";
  const now = nightAfter(three);
  await correctTestPayout(db, payout, { units: 12_011n, now });
  expect(await postCorrections(db, now)).toEqual({ posted: 1 });
  expect(await site.run(four, 20_011n, 11_000n)).toEqual({ posted: true });
  expect(await site.run(five, 30_011n, 11_000n)).toEqual({ posted: true });
  const holds = () => expectTrueBooks(db);
  return { db, owner, customers, broken, days, holds };
}

type Site = Awaited<ReturnType<typeof liveFiveDays>>;

async function breakCustomer({ owner, condition }: { owner: Pool; condition: string }) {
  await owner.query(`
    create function fail_for_one() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise exception 'This customer cannot be posted.'; end if;
      return new;
    end $$;
    create trigger one_fails before insert on mining_customer_days for each row execute function fail_for_one()`);
}

/** Everything that customers, days and the house have in the end, without what differs between two databases. */
async function figures({ owner, customers }: Site) {
  const ids = customers.map(({ id }) => id);
  const all = async (statement: string, ...values: unknown[]) =>
    (await owner.query(statement, values)).rows;
  return {
    receipts: await all(
      `select array_position($1::uuid[], d.customer_id) as nth, d.day::text, d.ghs, credit_sats, fee_sats, fee_paid, credited_sats,
              credited_usd_micros, fees_sats, fees_usd_micros
         from mining_contract_days d order by 1, 2, 3`,
      ids,
    ),
    customers: await all(
      `select array_position($1::uuid[], d.customer_id) as nth, d.day::text, d.contracts, d.ghs, credit_sats, fee_sats, paid_fee_sats,
              credited_sats, fees_sats from mining_customer_days d order by 1, 2`,
      ids,
    ),
    corrections: await all(
      `select array_position($1::uuid[], customer_id) as nth, day::text, change_sats, lost_sats from mining_customer_corrections order by 1, 2`,
      ids,
    ),
    runs: await all(
      `select day::text, state, credited_sats, reserved_sats, operator_share_sats, remainder_sats, fees_due_sats, fees_paid_sats,
              earned_btc_units from mining_runs order by day`,
    ),
    balances: await all(
      `select array_position($1::uuid[], owner_id) as nth, account, balance from ledger_accounts where asset = 'BTC' and owner_id = any ($1)
        order by 1, 2`,
      ids,
    ),
    house: await all(
      "select account, sum(units) from ledger_entries where account not in ('available', 'held') group by account order by account",
    ),
  };
}

test("a customer who cannot be posted is set apart, and gets to the satoshi what nothing having failed would give", async () => {
  const site = await liveFiveDays({ fails: true });
  const { db, owner, broken, days, holds } = site;
  // All others are credited, every day is closed, and the share waits.
  const { rows: apart } = await owner.query(
    `select day::text, work, error, reserved_sats > 0 as reserved from mining_customers_apart where customer_id = $1 order by day, work desc`,
    [broken.id],
  );
  expect(apart.map(({ day, work }) => `${work} ${day}`)).toEqual([
    `day ${days[1]}`,
    `correction ${days[1]}`,
    `day ${days[2]}`,
    `day ${days[3]}`,
    `day ${days[4]}`,
  ]);
  expect(apart[0]).toMatchObject({ error: "This customer cannot be posted.", reserved: true });
  // The customer reads of it, too.
  const reserved = await findReservedDays(db, broken.id);
  expect(reserved).toMatchObject({ count: 4, first: days[1] });
  expect(reserved?.sats).toBeGreaterThan(0n);
  const { rows: others } = await owner.query(
    "select customer_id, count(*)::int as days from mining_customer_days group by 1 order by 2",
  );
  expect(others.map(({ days: posted }) => posted)).toEqual([1, 5, 5]);
  await holds();
  await expect(
    db.$client.query("update customers set closed_at = now() where id = $1", [broken.id]),
  ).rejects.toMatchObject({ constraint: "nobody_leaves_while_something_is_owed" });
  // Tried again while it still fails, it waits longer and loses nothing.
  const last = nightAfter(days[4] ?? "");
  const later = (hours: number) => new Date(last.getTime() + hours * 3_600_000);
  await retryCustomers(db, later(1));
  await holds();
  await owner.query("drop trigger one_fails on mining_customer_days");
  await retryCustomers(db, later(30));
  await retryCustomers(db, later(60));
  await holds();
  expect((await owner.query("select from mining_customers_apart")).rowCount).toBe(0);
  expect(await findReservedDays(db, broken.id)).toBeNull();
  expect(await figures(site)).toEqual(await figures(await liveFiveDays({ fails: false })));
});

test("work that fails for one customer is done for the others, is named, and staff have one mail of it", async () => {
  const { db, owner } = await testDatabase();
  const { invitationUrl } = await createTestOperator(db);
  const token = new URL(invitationUrl).searchParams.get("token") ?? "";
  await resetPassword(db, { token, password: testPassword, site: testSite, now: new Date() });
  const site = await createMiningSite(db, { firstDay: first });
  const paying = await site.customer();
  const broken = await site.customer();
  const lapsing = await site.customer();
  await site.customer();
  for (const nth of [0, 1, 2]) await site.run(dayAfter(first, nth), 10n, 1_000n);
  await owner.query(`
    create function fail_for_some() returns trigger language plpgsql as $$
    begin
      if new.customer_id = '${broken.id}' and new.state = 'collected' then raise exception 'This debt cannot be collected.'; end if;
      if new.customer_id = '${lapsing.id}' and new.state = 'lapsed' then raise exception 'This debt cannot lapse.'; end if;
      return new;
    end $$;
    create trigger some_fail before update on maintenance_arrears for each row execute function fail_for_some()`);
  const now = nightAfter(dayAfter(first, 2));
  for (const { id } of [paying, broken]) await creditTestDeposit(db, id, 500n, { now });
  expect(await collectArrears(db, now)).toEqual({ paid: 1 });
  for (const nth of [0, 1]) {
    const later = new Date(now.getTime() + nth * 60_000);
    await notifyStaffOfCustomersApart(db, { site: testSite, now: later });
  }
  const { rows: mails } = await owner.query(
    "select subject, body_text like '%This debt cannot be collected.%' as says from mails where template = 'customers-set-apart'",
  );
  expect(mails).toEqual([{ subject: "Mining: 1 customer set apart after an error", says: true }]);
  // The clocks of two without coins run out. A debt that cannot be collected holds up its customer's days, and stops the clock.
  for (const nth of [3, 4, 5]) await site.run(dayAfter(first, nth), 10n, 1_000n);
  const end = new Date(nightAfter(dayAfter(first, 5)).getTime() + 20 * 3_600_000);
  expect(await expireClocks(db, end)).toEqual({ cancelled: 1 });
  const works = async () =>
    (await listCustomersApart(db, { limit: 10 })).map(
      ({ customerId, work }) => `${work} ${customerId}`,
    );
  const day = `day ${broken.id}`;
  expect(await works()).toEqual([`arrears ${broken.id}`, day, day, day, `clocks ${lapsing.id}`]);
  await owner.query("drop trigger some_fail on maintenance_arrears");
  const later = new Date(end.getTime() + 3_600_000);
  expect(await collectArrears(db, later)).toEqual({ paid: 1 });
  expect(await expireClocks(db, later)).toEqual({ cancelled: 1 });
  expect(await works()).toEqual([day, day, day]);
  await expectTrueBooks(db);
  await retryCustomers(db, later);
  expect(await works()).toEqual([]);
  await expectTrueBooks(db);
});

test("of many customers only the one who fails is set apart, and a fault of everybody sets nobody apart", async () => {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: first });
  const customers = [];
  for (let nth = 0; nth < 9; nth += 1) customers.push(await site.customer());
  const [, , , , broken] = customers;
  await site.run(first, 90_000n, 9_000n);
  const two = dayAfter(first, 1);
  await site.pay(two, 90_000n, 9_000n);
  await breakCustomer({ owner, condition: `new.customer_id = '${broken?.id}'` });
  // A correction of a day whose own credits are posted is set apart as the day is.
  await correctTestPayout(db, site.payouts.get(first) ?? "", {
    units: 45_000n,
    now: nightAfter(two),
  });
  await owner.query(
    "create trigger one_fails before insert on mining_customer_corrections for each row execute function fail_for_one()",
  );
  expect(await postCorrections(db, nightAfter(first))).toEqual({ posted: 1 });
  expect(await postMiningDay(db, two, nightAfter(two))).toEqual({ posted: true });
  const works = async () =>
    (await listCustomersApart(db, { limit: 100 })).map(
      ({ customerId, work, reservedSats }) => `${customerId} ${work} ${reservedSats}`,
    );
  expect(await works()).toEqual([`${broken?.id} correction -5000`, `${broken?.id} day 10000`]);
  const holds = () => expectTrueBooks(db);
  await holds();
  await owner.query("drop trigger one_fails on mining_customer_corrections");
  await owner.query("drop trigger one_fails on mining_customer_days");
  await retryCustomers(db, new Date(nightAfter(two).getTime() + 3_600_000));
  expect(await works()).toEqual([]);
  await holds();
  const balances = new Set(await Promise.all(customers.map(({ balance }) => balance())));
  expect(balances.size).toBe(1);
  // A disk that is full is nobody's fault.
  const three = dayAfter(first, 2);
  await site.pay(three, 90_000n, 9_000n);
  await owner.query(`
    create function fail_for_all() returns trigger language plpgsql as $$
    begin raise exception 'No space left.' using errcode = '53100'; end $$;
    create trigger all_fail before insert on mining_customer_days for each row execute function fail_for_all()`);
  await expect(postMiningDay(db, three, nightAfter(three))).rejects.toThrow("No space left.");
  expect(await works()).toEqual([]);
  await owner.query("drop trigger all_fail on mining_customer_days");
  expect(await postMiningDay(db, three, nightAfter(three))).toEqual({ posted: true });
  await holds();
});

test("a day that fails ends when nothing of it is under way any more", async () => {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: first });
  const [failing, waiting] = [await site.customer(), await site.customer()];
  await site.pay(first, 90_000n, 9_000n);
  // A chunk for each customer.
  await owner.query("select mining_open_day($1, $2, null, 1)", [first, nightAfter(first)]);
  await owner.query(`
    create sequence faults;
    grant usage on sequence faults to assay_app;
    create function fail_for_one() returns trigger language plpgsql as $$
    begin
      if new.customer_id = '${failing.id}' then
        perform pg_advisory_xact_lock(1);
        perform nextval('faults');
        raise exception 'No space left.' using errcode = '53100';
      end if;
      return new;
    end $$;
    create trigger one_fails before insert on mining_customer_days for each row execute function fail_for_one()`);
  const holder = await owner.connect();
  await holder.query("begin");
  await holder.query("select from ledger_accounts where owner_id = $1 for update", [waiting.id]);
  // The one that fails waits until the other one is under way.
  const gate = await owner.connect();
  await gate.query("select pg_advisory_lock(1)");
  let hasEnded = false;
  const posting = postMiningDay(db, first, nightAfter(first)).finally(() => {
    hasEnded = true;
  });
  const outcome = expect(posting).rejects.toThrow("No space left.");
  const facts = async () => {
    const { rows } = await owner.query(
      `select (select is_called from faults) as fails,
              (select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()) as waiting`,
    );
    return rows[0];
  };
  await expect.poll(facts).toEqual({ fails: false, waiting: 2 });
  gate.release(true);
  await expect.poll(facts).toEqual({ fails: true, waiting: 1 });
  expect(hasEnded).toBe(false);
  await holder.query("rollback");
  holder.release();
  await outcome;
  const { rowCount } = await owner.query(
    "select from pg_stat_activity where datname = current_database() and usename <> current_user and xact_start is not null",
  );
  expect(rowCount).toBe(0);
});

test("a clock stands still while a day of its customer is set apart, and runs on with all that was left", async () => {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: first });
  const customer = await site.customer();
  await site.run(first, 0n, 1_000n);
  const two = dayAfter(first, 1);
  await breakCustomer({ owner, condition: "true" });
  await site.run(two, 0n, 1_000n);
  const three = nightAfter(two);
  // 24 hours to the night after, of which it stood for two.
  const [apart] = await listClocks(db, { now: three });
  expect(apart).toMatchObject({ leftMs: 50 * 3_600_000, waitsFor: { day: two, since: three } });
  const days = [2, 3, 4, 5].map((nth) => dayAfter(first, nth));
  for (const day of days) await site.run(day, 0n, 1_000n);
  const late = nightAfter(days[3] ?? "");
  expect(await expireClocks(db, late)).toEqual({ cancelled: 0 });
  // What everybody waits for meanwhile counts once more, in the customer's favour.
  const [still] = await listClocks(db, { now: late });
  expect(still?.leftMs).toBe((50 + 4 * 2) * 3_600_000);
  await expectTrueBooks(db);
  await owner.query("drop trigger one_fails on mining_customer_days");
  await retryCustomers(db, new Date(late.getTime() + 3_600_000));
  const after = new Date(late.getTime() + 11 * 3_600_000);
  const [running] = await listClocks(db, { now: after });
  expect(running?.waitsFor).toBe(null);
  expect(running?.leftMs).toBe((58 - 10) * 3_600_000);
  expect(await expireClocks(db, after)).toEqual({ cancelled: 0 });
  expect(customer.id).toBe(running?.customerId);
  await expectTrueBooks(db);
});

test("where nobody can be posted the day stays open, and goes on once the cause is gone", async () => {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: first });
  for (let nth = 0; nth < 101; nth += 1) await site.customer();
  await site.pay(first, 101_000n, 101_000n);
  await breakCustomer({ owner, condition: "true" });
  const now = nightAfter(first);
  await expect(postMiningDay(db, first, now)).rejects.toThrow("This customer cannot be posted.");
  const { rows } = await owner.query(
    "select state, (select count(*)::int from mining_customers_apart) as apart from mining_runs",
  );
  expect(rows).toEqual([{ state: "posting", apart: 100 }]);
  await owner.query("drop trigger one_fails on mining_customer_days");
  const later = new Date(now.getTime() + 3_600_000);
  expect(await postMiningDay(db, first, later)).toEqual({ posted: true });
  expect(await listCustomersApart(db, { limit: 1 })).toEqual([]);
  await expectTrueBooks(db);
});

test("customers who only wait for an earlier day do not make a fault of everybody", async () => {
  const { db, owner } = await testDatabase();
  const site = await createMiningSite(db, { firstDay: first });
  const customer = await site.customer();
  await site.pay(first, 1_000n, 1_000n);
  const now = nightAfter(first).toISOString();
  await owner.query("select mining_open_day($1, $2, null)", [first, now]);
  const others = (tries: number) =>
    owner.query(
      `insert into mining_chunks (day, number, first_customer_id, last_customer_id, set_apart_at, error, reserved_sats, tries)
       select $1, 1000 * (1 + $3) + n, id, id, $2, 'Waits for an earlier day.', 0, $3
         from generate_series(1, 100) n cross join lateral (select gen_random_uuid() as id offset n * 0) each`,
      [first, now, tries],
    );
  const setApart = async () => {
    const { rows } = await owner.query(
      "select mining_set_apart(id, 'P0001', 'fails', $2) as done from mining_chunks where first_customer_id = $1",
      [customer.id, now],
    );
    return rows[0].done;
  };
  await others(1);
  expect(await setApart()).toBe(false);
  await owner.query("delete from mining_chunks where tries = 1");
  await others(0);
  expect(await setApart()).toBe(true);
});
