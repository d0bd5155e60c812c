import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { requireSameInstallation } from "./require-same-installation.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");

beforeEach(async () => {
  await owner.query("alter table installation disable trigger all; delete from installation");
  await owner.query("alter table installation enable trigger all");
});

test("a database stays what it was begun as", async () => {
  const regtest = { network: "regtest", demo: false } as const;
  await Promise.all([1, 2, 3].map(() => requireSameInstallation(db, regtest, now)));
  await expect(
    requireSameInstallation(db, { network: "mainnet", demo: false }, now),
  ).rejects.toThrow("NETWORK is mainnet, but this database was begun on regtest");
  await expect(
    requireSameInstallation(db, { network: "regtest", demo: true }, now),
  ).rejects.toThrow("DEMO is 1, but this database is no demo");
});

test("a demo never serves anything else", async () => {
  await requireSameInstallation(db, { network: "regtest", demo: true }, now);
  await expect(
    requireSameInstallation(db, { network: "regtest", demo: false }, now),
  ).rejects.toThrow("begun as a demo, with invented customers");
  await expect(owner.query("update installation set demo = false")).rejects.toThrow("written once");
});
