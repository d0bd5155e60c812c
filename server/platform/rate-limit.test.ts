import { expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { Busy } from "./busy.ts";
import { openDatabase } from "./database.ts";
import { openLog } from "./log/log.ts";
import {
  clientNetwork,
  countAttempt,
  countAttempts,
  forgetAttempts,
  subnetOf,
  sweepAttempts,
  TooManyAttempts,
  waitUntil,
  wholeSite,
} from "./rate-limit.ts";

const { db, applicationUrl, owner } = await testDatabase();
const limit = { purpose: "tests", max: 5, windowMinutes: 15 };
const now = new Date("2026-03-01T12:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

test("allows as many as the limit says, also when two processes count at once", async () => {
  const other = openDatabase(applicationUrl, openLog("silent"));
  const tries = Array.from({ length: 20 }, (_, n) =>
    countAttempt(n % 2 ? db : other, limit, "ada", now),
  );
  const outcomes = await Promise.allSettled(tries);
  await other.$client.end();
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
});

test("says when to try again, and lets through then", async () => {
  for (let n = 0; n < 5; n += 1) await countAttempt(db, limit, "bob", now);
  const refusal = await countAttempt(db, limit, "bob", later(14)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TooManyAttempts);
  expect((refusal as TooManyAttempts).retryAt).toEqual(later(15));
  await countAttempt(db, limit, "bob", later(15));
});

test("counts one person apart from another and one purpose apart from another", async () => {
  for (let n = 0; n < 5; n += 1) await countAttempt(db, limit, "eve", now);
  await countAttempt(db, limit, "mallory", now);
  await countAttempt(db, { ...limit, purpose: "other" }, "eve", now);
});

test("forgets after a success, and sweeps windows that have ended", async () => {
  for (let n = 0; n < 5; n += 1) await countAttempt(db, limit, "carol", now);
  await forgetAttempts(db, limit, "carol");
  await countAttempt(db, limit, "carol", now);
  await sweepAttempts(db, later(60));
  const { rows } = await owner.query("select count(*)::int as count from attempts");
  expect(rows[0].count).toBe(0);
});

test("keeps no name and no address in the table", async () => {
  await countAttempt(db, limit, "dora@example.com", now);
  const { rows } = await owner.query("select a::text as row from attempts a");
  expect(rows.some(({ row }) => row.includes("dora"))).toBe(false);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["unknown", "unknown"],
])("counts %s as %s", (address, place) => {
  expect(clientNetwork(address)).toBe(place);
});

test.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["unknown", "unknown"],
])("counts the network of %s as %s", (address, network) => {
  expect(subnetOf(address)).toBe(network);
});

test("beyond a limit of the whole site it is busy, and nobody is told that it was their doing", async () => {
  const site = { purpose: "whole site", max: 2, windowMinutes: 5 };
  const one = (who: string) =>
    countAttempts(
      db,
      [
        [limit, who],
        [site, wholeSite],
      ],
      now,
    );
  await one("u");
  await one("v");
  await expect(one("w")).rejects.toBeInstanceOf(Busy);
  for (let n = 0; n < 4; n += 1) await one("w").catch(() => {});
  await expect(one("w")).rejects.toBeInstanceOf(TooManyAttempts);
});

test.each([
  [0.2, "1 minute"],
  [1, "1 minute"],
  [13.1, "14 minutes"],
  [60, "1 hour"],
  [61, "2 hours"],
])("says of %s minutes: %s", (minutes, text) => {
  expect(waitUntil(later(minutes), now)).toBe(text);
});
