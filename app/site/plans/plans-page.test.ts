import { beforeAll, expect, test } from "vitest";
import { offerTestPlan } from "#tests/factories/contract.ts";
import { createTestFleet } from "#tests/factories/mining.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
let page: string;

beforeAll(async () => {
  await offerTestPlan(product.app.db);
  await createTestFleet(product.db, { ghs: 1_000_000n, from: "2026-01-01" });
  await product.owner.query("revoke select on plan_records from assay_app");
  page = await (await product.request("/plans")).text();
});

test("results of past contracts that cannot be read are said to be unreadable, never none", () => {
  expect(page).toContain("We could not read the results just now.");
  expect(page).not.toContain("None has ended yet.");
});

test("hashrate that no pool has measured is said to be so", () => {
  expect(page).toContain("We sell by what we entered of our machines");
  expect(page).toContain("Once seven are, ");
});
