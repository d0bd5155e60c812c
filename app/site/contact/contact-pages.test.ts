import { expect, test } from "vitest";
import { issueFormToken } from "#server/contact/form-token.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestSubscriber, createTestSubscription } from "#tests/factories/newsletter.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, owner } = product;
let count = 0;

/** A form sent at a human pace. */
function written(wanted: Record<string, string> = {}): Record<string, string> {
  count += 1;
  return {
    fullName: "Ada Lovelace",
    email: `page-${count}@example.com`,
    subject: "Fees",
    message: "What does a month cost?",
    formToken: issueFormToken(app.config.authSecret, new Date(Date.now() - 60_000)),
    proof: "",
    website: "",
    ...wanted,
  };
}

const post = (path: string, form: Record<string, string>, more: { cookie?: string } = {}) =>
  product.request(path, { form, address: `198.51.100.${count % 250}`, ...more });

async function threadOf(email: string) {
  const { rows } = await owner.query("select * from contact_threads where sender_email = $1", [
    email,
  ]);
  return rows;
}

test("a message is taken, and the page that says so names its reference", async () => {
  const form = written();
  const answer = await post("/contact", form);
  expect(answer.status).toBe(302);
  const [thread] = await threadOf(form["email"] ?? "");
  expect(answer.headers.get("location")).toBe(`/contact/sent?reference=${thread.reference}`);
  const said = await product.request(answer.headers.get("location") ?? "");
  expect(await said.text()).toContain(thread.reference);
  const forged = await product.request("/contact/sent?reference=<b>forged</b>");
  expect(await forged.text()).not.toContain("forged");
});

test("who is signed in as a customer is known as the writer", async () => {
  const ada = await createTestCustomer(app.db);
  const form = written();
  await post("/contact", form, { cookie: await signInAs(product, ada) });
  expect(await threadOf(form["email"] ?? "")).toMatchObject([{ customer_id: ada.id }]);
});

test("each wrong field says why, all that was typed stands there, and nothing is kept by caches", async () => {
  const answer = await post("/contact", {
    ...written({ fullName: " ", email: "nobody at home", subject: "" }),
    message: 'Half an hour of <i>words</i> "here"',
  });
  expect(answer.status).toBe(400);
  expect(answer.headers.get("cache-control")).toContain("no-store");
  const page = await answer.text();
  expect(page).toContain("Please enter your full name");
  expect(page).toContain("Please enter an e-mail address, such as name@example.com");
  expect(page).toContain("Please enter a subject");
  expect(page).toContain('value="nobody at home"');
  expect(page).toContain("Half an hour of &lt;i&gt;words&lt;/i&gt;");
});

test("a form that came too fast, or is too old, says so and can be sent again", async () => {
  const { authSecret } = app.config;
  const fast = await post(
    "/contact",
    written({ formToken: issueFormToken(authSecret, new Date()) }),
  );
  expect(fast.status).toBe(400);
  expect(await fast.text()).toContain("That was faster than people usually write");
  const long = new Date(Date.now() - 30 * 3_600_000);
  const old = await post("/contact", written({ formToken: issueFormToken(authSecret, long) }));
  const page = await old.text();
  expect(page).toContain("This page was open for a long time");
  expect(page).toContain("What does a month cost?");
  expect(page).not.toContain(issueFormToken(authSecret, long).split(".")[0]);
});

test("who writes too often reads when to come back, and keeps the words", async () => {
  const clientAddress = "203.0.113.200";
  const send = () => product.request("/contact", { form: written(), address: clientAddress });
  const answers: Response[] = [];
  for (let n = 0; n < 4; n += 1) answers.push(await send());
  const last = answers.at(-1);
  expect(last?.status).toBe(429);
  expect(await last?.text()).toMatch(/Please try again in 1 hour.*What does a month cost/s);
  expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(3_500);
});

test("no message holds a NUL character, and no reader of one breaks", async () => {
  const answer = await post("/contact", written({ message: "a\0b", fullName: "A\0da" }));
  expect(answer.status).toBe(302);
  const asked = await product.request("/contact/answer?token=%00");
  expect(await asked.text()).toContain("This link does not work any more");
  for (const path of ["/newsletter/confirm?token=%00", "/newsletter/unsubscribe?token=%00"]) {
    expect((await product.request(path)).status, path).toBeLessThan(500);
  }
});

test("challenges are for one browser: no cache keeps them, and who asks too often gets none", async () => {
  const ask = () => product.request("/contact/challenge", { address: "203.0.113.99" });
  const answer = await ask();
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toMatchObject({ parameters: { algorithm: "PBKDF2/SHA-256" } });
  const statuses = new Set<number>();
  for (let n = 0; n < 61; n += 1) statuses.add((await ask()).status);
  expect([...statuses]).toEqual([200, 429]);
});

test("asking for the newsletter is answered alike for every address", async () => {
  const { email } = await createTestSubscriber(app.db);
  const known = await post("/newsletter", { email, source: "/faq" });
  const unknown = await post("/newsletter", { email: "nobody-yet@example.com", source: "/faq" });
  for (const answer of [known, unknown]) {
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/newsletter/asked");
  }
  const wrong = await post("/newsletter", { email: "not an address" });
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain('value="not an address"');
});

test("a link confirms only when its button is pressed", async () => {
  const { token, email } = await createTestSubscription(app.db);
  const path = `/newsletter/confirm?token=${token}`;
  const looked = await product.request(path);
  expect(looked.headers.get("referrer-policy")).toBe("same-origin");
  const stateNow = async () =>
    (await owner.query("select state from newsletter_subscriptions where email = $1", [email]))
      .rows[0].state;
  expect(await stateNow()).toBe("pending");
  expect((await post(path, {})).headers.get("location")).toBe("/newsletter/confirmed");
  expect(await stateNow()).toBe("confirmed");
  expect((await post("/newsletter/confirm?token=made-up", {})).status).toBe(400);
});

test("a mail program's click is taken from anywhere; any other form of another site is not", async () => {
  const { leavingToken, email } = await createTestSubscriber(app.db);
  const path = `/newsletter/unsubscribe?token=${leavingToken}`;
  const origin = "https://mail.example";
  const page = await product.request(path, { form: { confirm: "yes" }, origin });
  expect(page.status).toBe(403);
  for (const other of ["/contact", "/newsletter", "/newsletter/confirm?token=x"]) {
    const click = { "List-Unsubscribe": "One-Click" };
    expect((await product.request(other, { form: click, origin })).status, other).toBe(403);
  }
  const answer = await product.request(path, { form: { "List-Unsubscribe": "One-Click" }, origin });
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie()).toEqual([]);
  const { rows } = await owner.query(
    "select state, ended_by from newsletter_subscriptions where email = $1",
    [email],
  );
  expect(rows).toEqual([{ state: "ended", ended_by: "one-click" }]);
});

test("people leave by the page", async () => {
  const { leavingToken } = await createTestSubscriber(app.db);
  const path = `/newsletter/unsubscribe?token=${leavingToken}`;
  expect(await (await product.request(path)).text()).toContain("send no issue of the newsletter");
  expect((await post(path, {})).headers.get("location")).toBe("/newsletter/unsubscribed");
  expect(await (await product.request(path)).text()).toContain("You are unsubscribed");
});
