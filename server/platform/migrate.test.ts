import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { migrate, readMigrations, refuseServerVersion } from "./migrate.ts";

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
    expect(Math.abs(Number.parseInt(id.slice(0, 13).replace("-", ""), 16) - ms)).toBeLessThan(50);
  }
  const times = rows.map(({ id }) => id.slice(0, 18));
  expect(times.toSorted()).toEqual(times);
});

test("refuses a migration that was changed after it had been applied", async () => {
  const [first] = readMigrations();
  await owner.query("update schema_migrations set sha256 = 'other' where name = $1", [first?.name]);
  await expect(migrate(ownerUrl)).rejects.toThrow("was changed after it had been applied");
  await owner.query("update schema_migrations set sha256 = $2 where name = $1", [
    first?.name,
    first?.sha256,
  ]);
});

test("refuses a database that is newer than the product", async () => {
  await owner.query("insert into schema_migrations (name, sha256) values ('9999-tomorrow', 'x')");
  await expect(migrate(ownerUrl)).rejects.toThrow(
    "newer than this version: it has migration 9999-tomorrow",
  );
  await owner.query("delete from schema_migrations where name = '9999-tomorrow'");
});

test("lets the application neither create tables nor write the list of migrations", async () => {
  await expect(db.$client.query("create table public.mine (id int)")).rejects.toThrow(
    "permission denied",
  );
  await expect(db.$client.query("delete from schema_migrations")).rejects.toThrow(
    "permission denied",
  );
});
