import { expect, test } from "vitest";
import { createMiningSite } from "#tests/factories/mining-site.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { remindOfEndings } from "./remind-of-endings.ts";

const { db, owner } = await testDatabase();
const site = await createMiningSite(db, { firstDay: "2026-05-01", termDays: 30 });
const noon = (day: string) => new Date(`${day}T12:00:00Z`);

async function reminded(): Promise<string[]> {
  const { rows } = await owner.query(
    "select key from graphile_worker._private_jobs where key like 'contract-ending:%' order by key",
  );
  return rows.map(({ key }) => key.replace("contract-ending:", ""));
}

test("a contract is reminded of seven days before its last day, later by its downtime, and once", async () => {
  const { contractId } = await site.customer();
  const given = await site.customer();
  await owner.query(
    "update contracts set last_day = starts_on - 1, end_reason = 'given-back', ended_at = cooling_off_until where id = $1 and cooling_off_until is not null",
    [given.contractId],
  );
  // Half of the first day is missing, so the last one is May 31.
  await site.run("2026-05-01", 50_000n, 500n);
  await remindOfEndings(db, noon("2026-05-23"));
  expect(await reminded()).toEqual([]);
  await remindOfEndings(db, noon("2026-05-24"));
  await remindOfEndings(db, noon("2026-05-24"));
  expect(await reminded()).toContain(contractId);
  expect(new Set(await reminded()).size).toBe((await reminded()).length);
});

test("what was told is not queued again when its job is gone", async () => {
  const { rows } = await owner.query(
    "select payload ->> 'customerId' as customer, key from graphile_worker._private_jobs where key like 'contract-ending:%'",
  );
  for (const { customer, key } of rows) {
    await owner.query(
      "insert into notices (id, customer_id, key, kind, title, body, path, created_at) values (uuidv7(), $1, $2, 'contract-ending', 't', '', '/account', now())",
      [customer, key],
    );
  }
  await owner.query("delete from graphile_worker._private_jobs where key like 'contract-ending:%'");
  await remindOfEndings(db, noon("2026-05-25"));
  expect(await reminded()).toEqual([]);
});

test("a contract of a week is not reminded of: it was ordered a moment ago", async () => {
  const short = await createMiningSite(db, { firstDay: "2026-06-10", termDays: 7 });
  await short.customer();
  await remindOfEndings(db, noon("2026-06-11"));
  expect(await reminded()).toEqual([]);
});
