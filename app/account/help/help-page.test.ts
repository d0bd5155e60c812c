import { expect, test } from "vitest";
import { issueFormToken } from "#server/contact/form-token.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const ada = await createTestCustomer(db, { firstName: "Ada", lastName: "Lovelace" });
const bob = await createTestCustomer(db);
const { depositId } = await createTestDeposit(app, { customerId: ada.id, method: "Bitcoin" });
const cookie = await signInAs(product, ada);

async function write(form: Record<string, string>, by = cookie) {
  const formToken = issueFormToken(app.config.authSecret, new Date(Date.now() - 60_000));
  const answer = await product.request("/account/help", {
    cookie: by,
    form: { formToken, ...form },
  });
  const { rows } = await owner.query("select * from contact_threads order by id desc limit 1");
  return { answer, thread: rows[0] };
}

test("questions are found inside the account", async () => {
  const page = await (await product.request("/account/help?q=withdrawal", { cookie })).text();
  expect(page).toMatch(/\d+ of \d+ questions/);
  const none = await (await product.request("/account/help?q=xyzzy", { cookie })).text();
  expect(none).toContain("Clear the search");
});

test("a message carries the number of the case that it is about, and who wrote it", async () => {
  const about = `deposit:${depositId}`;
  const page = await (await product.request(`/account/help?about=${about}`, { cookie })).text();
  expect(page).toMatch(new RegExp(`<option value="${about}" selected="">Deposit of `));
  const { answer, thread } = await write({ about, message: "Where are my coins?" });
  expect(answer.status).toBe(302);
  expect(thread).toMatchObject({ customer_id: ada.id, sender_name: "Ada Lovelace" });
  expect(thread.subject).toContain(depositId);
  const sent = await product.request(answer.headers.get("location") ?? "", { cookie });
  expect(await sent.text()).toContain(thread.reference);
});

test("the case of another customer is not named, and nothing is sent without words", async () => {
  const other = await signInAs(product, bob);
  const { thread } = await write({ about: `deposit:${depositId}`, message: "Mine?" }, other);
  expect(thread).toMatchObject({ customer_id: bob.id, subject: "A question from an account" });
  const { answer } = await write({ about: "", message: "  " });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Please write your message");
});
