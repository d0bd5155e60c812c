import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestRehearsal } from "#tests/factories/rehearsal.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db } = product;
const olga = await signInAs(product, await createTestOperator(db));
const support = await signInAs(product, await createTestOperator(db, { role: "support" }));
const ada = await signInAs(product, await createTestCustomer(db));

const begun: string[] = [];
const paid: Array<[string, bigint]> = [];
const rehearsal = createTestRehearsal({ begun, paid });
const page = "/operator/rehearsal";
const nextDay = { intent: "next-day" };

test("where nothing is rehearsed there is neither page nor bar, and nobody moves a clock", async () => {
  app.rehearsal = null;
  expect((await product.request(page, { cookie: olga })).status).toBe(404);
  expect((await product.request(page, { cookie: olga, form: nextDay })).status).toBe(404);
  const console = await product.request("/operator", { cookie: olga });
  expect(await console.text()).not.toContain("Next day");
});

test("every page of a rehearsal is marked as one, and the console has its clock and the button", async () => {
  app.rehearsal = rehearsal;
  const console = await (await product.request("/operator", { cookie: support })).text();
  expect(console).toContain("Next day");
  expect(console).toContain("The clock, the prices and every coin here are invented");
  const account = await (await product.request("/account/dashboard", { cookie: ada })).text();
  expect(account).toContain("The clock, the prices and every coin here are invented");
  expect(account).not.toContain("Next day");
});

test("a rehearsal from nothing leads to the first sale, though its database is a demo's", async () => {
  app.rehearsal = rehearsal;
  const { demo } = app.config;
  Object.assign(app.config, { demo: true });
  const today = await (await product.request("/operator", { cookie: olga })).text();
  expect(today).toContain("Your way to the first sale");
  expect(today).toContain("Open a wallet");
  expect(today).not.toContain("SMTP_URL");
  app.rehearsal = null;
  const shown = await (await product.request("/operator", { cookie: olga })).text();
  expect(shown).not.toContain("Your way to the first sale");
  Object.assign(app.config, { demo });
});

test("staff begin the next day; strangers and customers do not", async () => {
  app.rehearsal = rehearsal;
  begun.length = 0;
  expect((await product.request(page, { form: nextDay })).headers.get("location")).toContain(
    "/login",
  );
  expect((await product.request(page, { form: nextDay, cookie: ada })).status).toBe(404);
  expect(begun).toEqual([]);
  const pressed = await product.request(page, { form: nextDay, cookie: support });
  expect([pressed.status, pressed.headers.get("location")]).toEqual([302, page]);
  expect(begun).toHaveLength(1);
});

test("an address is paid, and what is no amount is refused in words", async () => {
  app.rehearsal = rehearsal;
  const pay = (amount: string) =>
    product.request(page, { form: { intent: "pay", address: " bcrt1ada ", amount }, cookie: olga });
  expect(await (await pay("0.005")).text()).toContain("Paid. It waits for a block");
  expect(paid).toEqual([["bcrt1ada", 500_000n]]);
  const refused = await pay("much");
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("Write an amount in BTC, such as 0.005.");
});
