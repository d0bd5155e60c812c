import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { migrate, readMigrations } from "./migrate.ts";

const { db, owner, ownerUrl } = await testDatabase();

test("applies nothing to a database that is up to date, also from four processes at once", async () => {
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(ownerUrl)));
  expect(applied.flat()).toEqual([]);
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
