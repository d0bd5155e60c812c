import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db } = product;
const ada = await createTestCustomer(db);
const bob = await createTestCustomer(db);
const { depositId } = await createTestDeposit(app, { customerId: ada.id, method: "Bitcoin" });

async function read(path: string, by = ada) {
  const answer = await product.request(path, { cookie: await signInAs(product, by) });
  return answer.text();
}

test("questions are found inside the account", async () => {
  expect(await read("/account/help?q=withdrawal")).toMatch(/\d+ of \d+ questions/);
  expect(await read("/account/help?q=xyzzy")).toContain("Clear the search");
});

test("a case of one's own leads to the form for messages, and another customer's is not offered", async () => {
  const choice = `<option value="deposit:${depositId}">Deposit of `;
  const page = await read("/account/help");
  expect(page).toContain('action="/account/messages/new"');
  expect(page).toContain(choice);
  expect(await read("/account/help", bob)).not.toContain(depositId);
});

test("what was searched for becomes the subject, unless the message is about a case", async () => {
  const page = await read("/account/help?q=tax+form");
  expect(page).toContain('<input type="hidden" name="subject" value="tax form"');
  const asked = await read("/account/messages/new?about=&subject=tax+%0Aform");
  expect(asked).toMatch(/name="subject"[^>]*value="tax form"/);
  const about = await read(`/account/messages/new?about=deposit:${depositId}&subject=tax`);
  expect(about).toMatch(/name="subject"[^>]*value="Bitcoin deposit of /);
});
