import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { databaseUrl } from "#tests/setup/postgres.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { migrate, refuseServerVersion } from "./migrate.ts";
import { readSchema, type Schema, type SchemaText } from "./schema-text.ts";

const { db, owner, ownerUrl } = await testDatabase();

test("applies nothing to a database that is up to date, also from four processes at once", async () => {
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(ownerUrl)));
  expect(applied.flat()).toEqual([]);
});

test.each([
  [90603, "PostgreSQL 9 is too old: use 17 or 18."],
  [150020, "PostgreSQL 15 is too old: use 17 or 18."],
  [160014, "PostgreSQL 16 is too old: use 17 or 18."],
  [190001, "PostgreSQL 19 is newer than this version of the product knows: use 17 or 18."],
])("refuses server version %i in one sentence", (version, sentence) => {
  expect(() => refuseServerVersion(version)).toThrow(sentence);
});

test.each([170000, 170010, 180004])("takes server version %i", (version) => {
  expect(() => refuseServerVersion(version)).not.toThrow();
});

test("makes ids that sort by their time and carry it, on every major", async () => {
  const { rows } = await owner.query<{ id: string; ms: number }>(
    "select uuidv7()::text as id, extract(epoch from clock_timestamp()) * 1000 as ms from generate_series(1, 2000)",
  );
  expect(new Set(rows.map(({ id }) => id)).size).toBe(2000);
  for (const { id, ms } of rows) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.abs(Number.parseInt(id.slice(0, 13).replace("-", ""), 16) - ms)).toBeLessThan(
      5_000,
    );
  }
  const times = rows.map(({ id }) => id.slice(0, 18));
  expect(times.toSorted()).toEqual(times);
});

const schema = readSchema();
const added: SchemaText = {
  name: "9999-add-tally-days",
  sql: "-- breaks: nothing\ncreate table tally_days (day date primary key)",
};
const proving: SchemaText = {
  name: "tallies/functions.sql",
  sql: "create or replace function tally_days_so_far() returns bigint language sql as $$ select count(*) from tally_days $$",
};
const next: Schema = {
  tables: [...schema.tables, { name: "tallies/tables.sql", sql: added.sql }],
  functions: [...schema.functions, proving],
  migrations: [...schema.migrations, added],
};

/** A database of its own, empty. */
async function emptyDatabase() {
  const name = `migrated_${randomBytes(6).toString("hex")}`;
  await owner.query(`create database ${name}`);
  const url = databaseUrl(ownerUrl, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await owner.query(`drop database ${name} with (force)`);
  });
  return { url, query: async (text: string) => (await client.query(text)).rows };
}

test("an older database gets the tables that it lacks, a new one has them at once", async () => {
  const older = await emptyDatabase();
  expect(await migrate(older.url, { schema })).toEqual(["tables", "functions"]);
  expect(await migrate(older.url, { schema: next })).toEqual([added.name, "functions"]);
  const fresh = await emptyDatabase();
  expect(await migrate(fresh.url, { schema: next })).toEqual(["tables", "functions"]);
  for (const { url, query } of [older, fresh]) {
    expect(await query("select tally_days_so_far()")).toEqual([{ tally_days_so_far: "0" }]);
    expect(await query("select name from schema_migrations order by name")).toEqual(
      next.migrations.map(({ name }) => ({ name })),
    );
    expect(await migrate(url, { schema: next })).toEqual([]);
  }
  const objects = `select pg_describe_object(classid, objid, 0) as object from pg_depend
    where refobjid = 'public'::regnamespace order by 1`;
  expect(await older.query(objects)).toEqual(await fresh.query(objects));
});

test("what cannot be applied leaves the database as it was, and says which text it was", async () => {
  const { url, query } = await emptyDatabase();
  await migrate(url, { schema });
  const broken = { ...proving, sql: "create function broken() returns nothing language sql" };
  const wrong = { ...next, functions: [...schema.functions, broken] };
  await expect(migrate(url, { schema: wrong })).rejects.toThrow("tallies/functions.sql failed");
  expect(await query("select to_regclass('tally_days') as it")).toEqual([{ it: null }]);
  expect(await migrate(url, { schema })).toEqual([]);
});

test("functions are applied when their text has changed, and an older version leaves newer ones alone", async () => {
  const { url, query } = await emptyDatabase();
  await migrate(url, { schema });
  const of = async () => (await query("select iso_day('2026-03-01')"))[0].iso_day;
  const changed = {
    name: "platform/functions.sql",
    sql: "create or replace function iso_day(value date) returns text language sql immutable as $$ select 'changed' $$",
  };
  const newer = { ...schema, functions: [...schema.functions, changed] };
  expect(await migrate(url, { schema: newer })).toEqual(["functions"]);
  expect(await of()).toBe("changed");
  expect(await migrate(url, { schema })).toEqual([]);
  expect(await of()).toBe("changed");
  expect(await migrate(url, { schema, isReapplied: true })).toEqual(["functions"]);
  expect(await of()).toBe("2026-03-01");
});

test("refuses a migration that was changed after it had been applied, and a database that is newer than the product", async () => {
  const { url } = await emptyDatabase();
  await migrate(url, { schema: next });
  const edited = {
    ...next,
    migrations: [...schema.migrations, { ...added, sql: `${added.sql};` }],
  };
  await expect(migrate(url, { schema: edited })).rejects.toThrow(
    "was changed after it had been applied",
  );
  const breaking = { ...added, sql: added.sql.replace("nothing", "older versions") };
  const other = await emptyDatabase();
  await migrate(other.url, { schema: { ...next, migrations: [...schema.migrations, breaking] } });
  await expect(migrate(other.url, { schema })).rejects.toThrow(
    "newer than this version, which migration 9999-add-tally-days breaks",
  );
});

test("an older version starts beside a migration that does not break it, and changes nothing", async () => {
  const { url, query } = await emptyDatabase();
  await migrate(url, { schema: next });
  // It was never here before: its functions are not known either.
  expect(await migrate(url, { schema })).toEqual([]);
  expect(await query("select tally_days_so_far()")).toEqual([{ tally_days_so_far: "0" }]);
  const silent = { ...added, name: "9998-says-nothing", sql: "select 1" };
  const wrong = { ...schema, migrations: [...schema.migrations, silent] };
  await expect(migrate(url, { schema: wrong })).rejects.toThrow("9998-says-nothing does not say");
});

test("waits for a table that is in use without standing in the way, and gives up in one sentence", async () => {
  const { url, query } = await emptyDatabase();
  await migrate(url, { schema });
  const altering = {
    name: "9999-alter",
    sql: "-- breaks: nothing\nalter table mails add column tally integer",
  };
  const altered = { ...schema, migrations: [...schema.migrations, altering] };
  const report = new pg.Client({ connectionString: url });
  await report.connect();
  onTestFinished(() => report.end());
  await report.query("begin; select from mails");
  await expect(migrate(url, { schema: altered, tries: 1 })).rejects.toThrow(
    "9999-alter failed: canceling statement due to lock timeout. Nothing was applied",
  );
  const waits: number[] = [];
  const onWait = (tried: number) => {
    waits.push(tried);
    void report.query("rollback");
  };
  expect(await migrate(url, { schema: altered, onWait })).toEqual(["9999-alter", "functions"]);
  expect(waits).toEqual([1]);
  expect(await query("select tally from mails")).toEqual([]);
});

test.each([
  ["a migration", "9999-alter"],
  ["functions", null],
])("a transaction that waits for %s while it has what they need goes on", async (_, name) => {
  const { url, query } = await emptyDatabase();
  await migrate(url, { schema });
  const sql =
    "-- breaks: nothing\nalter table mails add column tally integer; select pg_sleep(0.7)";
  const altered: Schema = {
    ...schema,
    // Longer than a moment, as one that fills a column is.
    migrations: [...schema.migrations, ...(name ? [{ name, sql }] : [])],
    functions: [...schema.functions, { name: "tallies/functions.sql", sql: "select 1" }],
  };
  const form = new pg.Client({ connectionString: url });
  await form.connect();
  onTestFinished(() => form.end());
  await form.query("begin; lock table deposits in row exclusive mode");
  const migrated = migrate(url, { schema: altered });
  const taken = () =>
    query(
      "select from pg_locks where relation = 'mails'::regclass and mode = 'AccessExclusiveLock'",
    );
  await expect.poll(taken, { interval: 5 }).not.toEqual([]);
  await form.query("select from mails");
  await form.query("commit");
  expect(await migrated).toEqual([...(name ? [name] : []), "functions"]);
});

test("refuses a database of before the first release in one sentence, and leaves it alone", async () => {
  const { url, query } = await emptyDatabase();
  await query("create table schema_migrations (name text primary key, sha256 text not null)");
  await expect(migrate(url, { schema })).rejects.toThrow("before the first release");
  expect(await query("select to_regclass('mails') as it")).toEqual([{ it: null }]);
});

test("lets the application neither create tables nor write the list of migrations", async () => {
  await expect(db.$client.query("create table public.mine (id int)")).rejects.toThrow(
    "permission denied",
  );
  await expect(db.$client.query("delete from schema_migrations")).rejects.toThrow(
    "permission denied",
  );
});
