import { expect, test } from "vitest";
import { offerTestPlan } from "#tests/factories/contract.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();

test("results of past contracts that cannot be read are said to be unreadable, never none", async () => {
  await offerTestPlan(product.app.db);
  await product.owner.query("revoke select on plan_records from assay_app");
  const page = await (await product.request("/plans?unread=1")).text();
  expect(page).toContain("We could not read the results just now.");
  expect(page).not.toContain("None has ended yet.");
});
