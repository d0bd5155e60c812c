import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { answerTestThread, createTestThread, testSecret } from "#tests/factories/message.ts";
import { createTestSubscriber } from "#tests/factories/newsletter.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp({ AUTH_SECRET: testSecret });
const { app, owner } = product;
const grace = await createTestOperator(app.db);
const cookie = await signInAs(product, grace);

const read = (path: string) => product.request(path, { cookie });
const post = (path: string, form: Record<string, string>) =>
  product.request(path, { cookie, form });

async function stateOf(table: string, id: string) {
  const { rows } = await owner.query(`select state from ${table} where id = $1`, [id]);
  return rows[0]?.state;
}

test("the queue shows what waits and counts it in the navigation; other tabs show the rest", async () => {
  const waiting = await createTestThread(app.db, { subject: "Waits for us" });
  const spam = await createTestThread(app.db, { subject: "Caught one", trap: "x" });
  const queue = await (await read("/operator/messages")).text();
  expect(queue).toContain("Waits for us");
  expect(queue).not.toContain("Caught one");
  expect(queue).toContain(waiting.reference);
  expect(await (await read("/operator/messages?state=spam")).text()).toContain(spam.reference);
  const found = await (await read(`/operator/messages?q=${waiting.reference}`)).text();
  expect(found).toContain("Waits for us");
  expect((await read("/operator/messages?q=%00&after=x&state=none")).status).toBe(200);
});

test("an answer goes out, and the next that waits is shown", async () => {
  const first = await createTestThread(app.db);
  const submissionKey = randomUUID();
  const form = { intent: "reply", seen: "0", submissionKey, text: "As the terms say." };
  const answer = await post(`/operator/messages/${first.threadId}`, form);
  expect(answer.status).toBe(302);
  expect(await stateOf("contact_threads", first.threadId)).toBe("answered");
  const { rows } = await owner.query("select body_text from mails where recipient = $1", [
    first.email,
  ]);
  expect(rows.map(({ body_text }) => body_text).join()).toContain("As the terms say.");
});

test("an empty answer says what is missing, and one to a thread that changed keeps its words", async () => {
  const { threadId } = await createTestThread(app.db);
  const path = `/operator/messages/${threadId}`;
  const submissionKey = randomUUID();
  const empty = await post(path, { intent: "reply", seen: "0", submissionKey, text: " " });
  expect(empty.status).toBe(400);
  expect(await empty.text()).toContain("Write what the sender reads");
  await answerTestThread(app.db, threadId, "One more thing");
  const text = "Written before that came";
  const late = await post(path, { intent: "reply", seen: "0", submissionKey, text });
  expect(late.status).toBe(409);
  const page = await late.text();
  expect(page).toContain("This thread changed meanwhile");
  expect(page).toContain("One more thing");
  expect(page).toContain(text);
  expect((await post(path, { intent: "spam", seen: "0" })).status).toBe(409);
  expect(await stateOf("contact_threads", threadId)).toBe("open");
});

test("a customer's address is linked, and said to prove nothing; a writer who was signed in is named", async () => {
  const ada = await createTestCustomer(app.db, { firstName: "Ada", lastName: "Byron" });
  const claimed = await createTestThread(app.db, { email: ada.email });
  const page = await (await read(`/operator/messages/${claimed.threadId}`)).text();
  expect(page).toContain(`/operator/customers/${ada.id}`);
  expect(page).toContain("it may be someone else");
  const proven = await createTestThread(app.db, { customerId: ada.id });
  const known = await (await read(`/operator/messages/${proven.threadId}`)).text();
  expect(known).toContain("Signed in as");
});

test("what does not exist is not found, for reading and for acting", async () => {
  for (const id of [randomUUID(), "nonsense", "%00"]) {
    const path = `/operator/messages/${id}`;
    expect((await read(path)).status, path).toBe(404);
    expect((await post(path, { intent: "closed", seen: "0" })).status, path).toBe(404);
  }
});

test("subscribers are listed by state and taken away as CSV", async () => {
  const { email, leavingToken } = await createTestSubscriber(app.db, { source: "/faq" });
  const page = await (await read("/operator/newsletter")).text();
  expect(page).toContain(email);
  expect(page).toContain("/faq");
  expect(page).not.toContain(leavingToken);
  const none = await (await read("/operator/newsletter?state=ended")).text();
  expect(none).not.toContain(email);
  const csv = await read("/operator/newsletter.csv");
  expect(csv.headers.get("content-disposition")).toContain("attachment");
  expect(csv.headers.get("cache-control")).toContain("no-store");
  const lines = (await csv.text()).split("\r\n");
  const line = lines.find((each) => each.startsWith(email));
  expect(line).toContain(`/newsletter/unsubscribe?token=${leavingToken}`);
});

test("pages that were taken out lead to what took their place", async () => {
  for (const [from, to] of [
    ["/operator/newsletter/subscribers?state=ended", "/operator/newsletter?state=ended"],
    ["/operator/newsletter/new", "/operator/newsletter"],
    ["/operator/news", "/operator/content"],
    [`/operator/news/${randomUUID()}`, "/operator/content"],
  ] as const) {
    const answer = await read(from);
    expect([answer.status, answer.headers.get("location")], from).toEqual([302, to]);
  }
});
