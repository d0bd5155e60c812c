import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findThread } from "#server/contact/queries.ts";
import { replyToThread } from "#server/contact/reply-to-thread.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestThread, testSecret } from "#tests/factories/message.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp({ AUTH_SECRET: testSecret });
const { app, db, owner } = product;
const ada = await createTestCustomer(db, { firstName: "Ada", lastName: "Lovelace" });
const bob = await createTestCustomer(db);
const { depositId } = await createTestDeposit(app, { customerId: ada.id, method: "Bitcoin" });
const cookie = await signInAs(product, ada);

async function write(form: Record<string, string>, by = cookie) {
  const answer = await product.request("/account/help", {
    cookie: by,
    form: { submissionKey: randomUUID(), ...form },
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
  expect(thread).toMatchObject({ customer_id: ada.id, sender_name: "Ada Lovelace", about });
  expect(thread.subject).toContain(depositId);
  expect(answer.headers.get("location")).toBe(`/account/messages/${thread.id}`);
  const sent = await product.request(`/account/messages/${thread.id}`, { cookie });
  expect(await sent.text()).toContain("Where are my coins?");
});

test("the answer is read in the account: the mail about it has none of its words", async () => {
  const { thread } = await write({ about: "", message: "What is my limit?" });
  const seen = (await findThread(db, thread.id))?.revision ?? 0;
  const grace = await createTestOperator(db);
  const text = "Ten thousand dollars.";
  const reply = { threadId: thread.id, submissionKey: randomUUID(), seen, text, replyTo: null };
  await replyToThread(app, grace, reply, app.now());
  const { rows } = await owner.query(
    "select template, body_text from mails m join contact_mails c on c.mail_id = m.id where c.thread_id = $1 and m.recipient = $2",
    [thread.id, ada.email],
  );
  expect(rows).toMatchObject([{ template: "contact-answered" }]);
  expect(rows[0].body_text).not.toContain("Ten thousand");
});

test("the same form is one message, and a flood of strangers keeps no customer from writing", async () => {
  const other = await signInAs(product, await createTestCustomer(db));
  await createTestThread(db);
  await owner.query("update attempts set count = 1000000");
  const form = { about: "", message: "Once", submissionKey: randomUUID() };
  const [first, again] = [await write(form, other), await write(form, other)];
  expect(first.answer.status).toBe(302);
  expect(again.answer.headers.get("location")).toBe(first.answer.headers.get("location"));
  await owner.query("delete from attempts");
});

test("the case of another customer is not named, and nothing is sent without words", async () => {
  const other = await signInAs(product, bob);
  const { thread } = await write({ about: `deposit:${depositId}`, message: "Mine?" }, other);
  expect(thread).toMatchObject({ customer_id: bob.id, subject: "A question from an account" });
  const { answer } = await write({ about: "", message: "  " });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Please write your message");
});
