import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { patienceMs } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { endDeadlock } from "./end-deadlocks.ts";

const { owner, applicationUrl } = await testDatabase();
// As under a rehearsal's clock, PostgreSQL finds none itself.
await owner.query(
  `do $$ begin execute format('alter database %I set deadlock_timeout = ''1h''', current_database()); end $$`,
);
const people = Array.from({ length: 3 }, () => new pg.Client({ connectionString: applicationUrl }));
await Promise.all(people.map((person) => person.connect()));
afterAll(() => Promise.all(people.map((person) => person.end())));

const lock = (person: pg.Client | undefined, key: number) =>
  person?.query("select pg_advisory_xact_lock($1)", [key]);

test("of statements that wait for each other one is cancelled, and none that only waits", async () => {
  await Promise.all(people.map((person) => person.query("begin")));
  await Promise.all(people.map(lock));
  /** What became of asking for somebody's lock; afterwards one's own is free. */
  const askFor = async (key: number, person: pg.Client | undefined): Promise<string> => {
    try {
      await lock(person, key);
      return "got it";
    } catch (error) {
      return (error as pg.DatabaseError).code ?? "";
    } finally {
      await person?.query("rollback");
    }
  };
  const [first, second, third] = people;
  const asked = [askFor(1, first), askFor(2, second)];
  await expect.poll(countWaiting, { timeout: patienceMs }).toBe(2);
  expect(await endDeadlock(owner)).toBe(null);
  asked.push(askFor(0, third));
  await expect
    .poll(() => endDeadlock(owner), { timeout: patienceMs })
    .toContain("pg_advisory_xact_lock");
  expect((await Promise.all(asked)).toSorted()).toEqual(["57014", "got it", "got it"]);
});

async function countWaiting(): Promise<number> {
  const { rows } = await owner.query(
    "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0].count;
}
