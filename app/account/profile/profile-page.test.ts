import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findCustomer } from "#server/identity/account/find-customer.ts";
import { addTotp } from "#server/identity/mfa/change-mfa.ts";
import { beginTotp } from "#server/identity/mfa/set-up-totp.ts";
import { totpCode, totpStep } from "#server/identity/mfa/totp.ts";
import { findSignedInUser } from "#server/identity/sessions/signed-in-user.ts";
import { stateResidence } from "#server/kyc/state-residence.ts";
import { sendNotice } from "#server/notices/send-notice.ts";
import { makeExport } from "#server/personal-data/make-export.ts";
import { createTestCustomer, testPassword } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { letWithdraw, nobodysBrowser, someAddress } from "#tests/factories/withdrawal.ts";
import { headerOf, signInAs } from "#tests/setup/sign-in-as.ts";
import { cookiesOf, testApp } from "#tests/setup/test-app.ts";
import type { PartName } from "./schemas.ts";
import { placeOf, sections } from "./sections.ts";

const product = await testApp();
const { app, db, owner } = product;
const path = "/account/profile";

async function aCustomer() {
  const ada = await createTestCustomer(db);
  const cookie = await signInAs(product, ada);
  const read = async (at: string) => (await product.request(at, { cookie })).text();
  const page = async () =>
    (await Promise.all(Object.values(sections).map((section) => read(section.path)))).join();
  const pageOf = (part: string) => placeOf(part as PartName).split("#")[0] ?? "";
  const seen = async (part: string) => seenIn(await read(pageOf(part)), part);
  const send = async (part: string, fields: Record<string, string>, mark?: string) =>
    product.request(pageOf(part), {
      cookie,
      form: { part, seen: mark ?? (await seen(part)), ...fields },
    });
  return { ada, cookie, page, seen, send };
}

/** The mark that a part's form carries. */
function seenIn(html: string, part: string): string {
  const form = html.split(`name="part" value="${part}"`)[1] ?? "";
  return /name="seen" value="([^"]*)"/.exec(form)?.[1] ?? "";
}

async function row(table: string, column: string, id: string) {
  const { rows } = await owner.query(`select * from ${table} where ${column} = $1`, [id]);
  return rows[0];
}

test("each part is saved by itself, and written into the history", async () => {
  const { ada, page, send, cookie } = await aCustomer();
  const saved = await send("names", { firstName: "Augusta", lastName: "King" });
  expect(saved.status).toBe(302);
  const said = await product.request(path, { cookie: `${cookie}; ${cookiesOf(saved)}` });
  expect(await said.text()).toContain("Saved");
  expect((await send("phone", { country: "GB", phone: "020 7946 0958" })).status).toBe(302);
  expect((await send("reading", { locale: "de-DE", timeZone: "Asia/Tokyo" })).status).toBe(302);
  expect((await send("currency", { currency: "BTC" })).status).toBe(302);
  expect((await send("phrase", { phrase: "blue heron <b>" })).status).toBe(302);
  expect((await send("notices", { wanted: "deposit-rejected" })).status).toBe(302);
  const html = await page();
  for (const shown of ["Augusta", "+44 20 7946 0958", "blue heron &lt;b&gt;"]) {
    expect(html).toContain(shown);
  }
  expect(await row("customer_settings", "customer_id", ada.id)).toMatchObject({
    phone: "+442079460958",
    locale: "de-DE",
    time_zone: "Asia/Tokyo",
    display_currency: "BTC",
  });
  const { rows } = await owner.query(
    "select event from account_events where user_id = $1 and event <> 'signed-in' order by position",
    [ada.id],
  );
  expect(rows.map(({ event }) => event)).toEqual([
    "registered",
    "name-changed",
    "phone-changed",
    "reading-changed",
    "display-currency-changed",
    "phrase-changed",
    "notices-chosen",
  ]);
});

test.each([
  ["-5", "A phone number can&#x27;t start with a minus"],
  ["12.5", "A phone number can&#x27;t include a decimal point"],
  ["my number", "That doesn&#x27;t look like a phone number"],
  ["123", "That doesn&#x27;t look like a phone number"],
  ["+44 20 7946 0958 9999 99999", "That doesn&#x27;t look like a phone number"],
  ["020 7946 0958", "That doesn&#x27;t look like a phone number"],
])("the phone number %s is refused at its field and stays typed", async (phone, words) => {
  const { send, ada } = await aCustomer();
  const answer = await send("phone", { country: "", phone });
  expect(answer.status).toBe(400);
  const html = await answer.text();
  expect(html).toContain(words);
  expect(html).toContain(`value="${phone}"`);
  expect(await row("customer_settings", "customer_id", ada.id)).toBeUndefined();
});

test("a second tab does not overwrite what it has not seen, and loses nothing", async () => {
  const { ada, seen, send } = await aCustomer();
  const before = await seen("names");
  await send("names", { firstName: "First", lastName: "Tab" }, before);
  const second = await send("names", { firstName: "Second", lastName: "Tab" }, before);
  expect(second.status).toBe(409);
  const html = await second.text();
  expect(html).toContain("in another tab");
  expect(html).toContain('value="Second"');
  expect((await findCustomer(db, ada.id))?.firstName).toBe("First");
  // Another part is not in its way; saving again, knowing of it, is heard.
  expect((await send("currency", { currency: "ETH" })).status).toBe(302);
  const again = await send(
    "names",
    { firstName: "Second", lastName: "Tab" },
    seenIn(html, "names"),
  );
  expect(again.status).toBe(302);
  expect((await findCustomer(db, ada.id))?.firstName).toBe("Second");
});

const parts: Record<string, Record<string, string>> = {
  names: { firstName: "Ada", lastName: "Byron" },
  phone: { country: "DE", phone: "030 901820" },
  reading: { locale: "fr-FR", timeZone: "UTC" },
  currency: { currency: "ETH" },
  notices: { wanted: "deposit-received" },
  phrase: { phrase: "grey owl" },
};

test.each(Object.entries(parts))(
  "%s takes its own fields and nothing else: no balance, role, id or prototype",
  async (part, fields) => {
    const { ada, send } = await aCustomer();
    const other = await createTestCustomer(db);
    const extra = {
      profit: "1000000",
      balance: "1000000",
      role: "owner",
      kind: "operator",
      id: other.id,
      userId: other.id,
      customerId: other.id,
      customer_id: other.id,
      email: "taken-over@example.com",
      emailVerified: "true",
      closedAt: "2020-01-01",
      "__proto__.role": "owner",
      __proto__: "owner",
      "constructor.prototype.role": "owner",
      constructor: "owner",
    };
    const form = new Map(Object.entries({ ...extra, ...fields }));
    form.set("__proto__", "owner");
    const answer = await send(part, Object.fromEntries(form));
    expect([302, 400]).toContain(answer.status);
    expect(({} as { role?: string }).role).toBeUndefined();
    const person = await row("users", "id", ada.id);
    expect(person).toMatchObject({ kind: "customer", email: ada.email, email_verified: false });
    expect(await row("users", "id", other.id)).toMatchObject({ first_name: other.firstName });
    expect(await row("customer_settings", "customer_id", other.id)).toBeUndefined();
    expect(await row("operators", "id", ada.id)).toBeUndefined();
  },
);

test("lines, directions and links in a name or phrase are refused and never reach a mail", async () => {
  const { send, page } = await aCustomer();
  const bad = ["Ada\r\nBcc: all@example.com", "Ada\u2028x", "\u202Eada", "http://evil.example"];
  for (const firstName of bad) {
    expect((await send("names", { firstName, lastName: "L" })).status, firstName).toBe(400);
  }
  for (const phrase of ["a\r\nBcc: all@example.com", "a\u2029b", "x".repeat(61)]) {
    expect((await send("phrase", { phrase })).status, phrase).toBe(400);
  }
  const newEmail = "new@example.com\r\nBcc: all@example.com";
  expect((await send("email", { newEmail, password: testPassword })).status).toBe(400);
  expect(await page()).not.toContain("all@example.com");
});

test("what is unknown, too large or no form is refused, and nothing is changed", async () => {
  const { ada, cookie, send } = await aCustomer();
  const refuse = async (form: Record<string, string>, status: number) =>
    expect((await product.request(path, { cookie, form })).status).toBe(status);
  await refuse({ part: "__proto__" }, 400);
  await refuse({ part: "constructor" }, 400);
  await refuse({ part: "balance", profit: "1" }, 400);
  await refuse({ intent: "approve" }, 400);
  await refuse({ part: "names", firstName: "x".repeat(300_000), lastName: "L" }, 413);
  expect((await send("names", { firstName: "x".repeat(101), lastName: "L" })).status).toBe(400);
  expect((await send("reading", { locale: "xx-XX", timeZone: "UTC" })).status).toBe(400);
  expect((await send("reading", { locale: "", timeZone: "Mars/Olympus" })).status).toBe(400);
  expect((await send("currency", { currency: "EUR" })).status).toBe(400);
  expect((await send("notices", { wanted: "security" })).status).toBe(400);
  expect(await row("users", "id", ada.id)).toMatchObject({ first_name: ada.firstName });
  expect(await row("customer_settings", "customer_id", ada.id)).toBeUndefined();
});

test("times and numbers follow the customer's choice, with UTC beside them, before any script", async () => {
  const { ada, cookie, send } = await aCustomer();
  const olga = await createTestOperator(db);
  const now = new Date("2026-11-21T23:30:00Z");
  await createTestDeposit(app, {
    customerId: ada.id,
    approvedBy: olga,
    quantityUnits: 123_456_789_000n,
    now,
  });
  await send("reading", { locale: "de-DE", timeZone: "Asia/Tokyo" });
  const html = await (await product.request("/account/transactions", { cookie })).text();
  expect(html).toContain("22. Nov. 2026, 08:30");
  expect(html).toContain("21. Nov. 2026, 23:30 UTC");
  expect(html).toContain("1.234,56789");
  // Where local time is UTC's, it is not said twice.
  await send("reading", { locale: "de-DE", timeZone: "Africa/Abidjan" });
  const profile = await (await product.request("/account/profile", { cookie })).text();
  expect(profile).toMatch(/Customer since[^§]*? UTC</);
  expect(profile).not.toMatch(/>\d\d:\d\d UTC</);
});

test("an address that is not verified has its way to a new link, and Security is a page of its own", async () => {
  const { cookie } = await aCustomer();
  const profile = await (await product.request("/account/profile", { cookie })).text();
  expect(profile).toMatch(/Unverified[^§]*?href="\/verify-email"/i);
  const security = await (await product.request("/account/security", { cookie })).text();
  const [here = ""] = /<a [^>]*aria-current="page"[^>]*>/.exec(security) ?? [];
  expect(here).toContain('href="/account/security"');
});

test("values are shown in the chosen coin as well, by a fresh price and by no other", async () => {
  const { ada, cookie, send } = await aCustomer();
  await createTestDeposit(app, { customerId: ada.id, claimedUsdCents: 9_123_450n });
  await send("currency", { currency: "BTC" });
  const dashboard = async () => (await product.request("/account/dashboard", { cookie })).text();
  expect(await dashboard()).toContain("no value in <!-- -->BTC");
  const usdE8 = 9_123_450_000_000n;
  await createTestPrice(db, { asset: "BTC", usdE8, observedAt: app.now() });
  // Pages share one reading of prices for a second.
  const { now } = app;
  app.now = () => new Date(now().getTime() + 1_000);
  const html = await dashboard();
  app.now = now;
  expect(html).toContain("$91,234.50");
  expect(html).toMatch(/≈[^=]*value="100000000"|value="100000000"/);
});

test("a customer who muted an event gets no mail about it, and others do", async () => {
  const { ada, send } = await aCustomer();
  await send("notices", { wanted: "deposit-approved" });
  const other = await createTestCustomer(db);
  for (const { id } of [ada, other]) {
    const depositId = randomUUID();
    const facts = { kind: "deposit-received", depositId, method: "Bitcoin", usdCents: "100" };
    const notice = JSON.stringify(facts);
    await sendNotice(db, { customerId: id, notice, site: app.config, now: app.now() });
  }
  const received = "select 1 from mails where user_id = $1 and template = 'deposit-received'";
  expect((await owner.query(received, [ada.id])).rowCount).toBe(0);
  expect((await owner.query(received, [other.id])).rowCount).toBe(1);
});

test("the copy of one's data is fetched by its owner and by nobody else", async () => {
  const { ada, cookie } = await aCustomer();
  const other = await aCustomer();
  const asked = await product.request(path, { cookie, form: { intent: "export" } });
  expect(asked.headers.get("location")).toBe("/account/profile/data#data");
  const { id } = await row("data_exports", "customer_id", ada.id);
  const file = `${path}/export/${id}`;
  expect((await product.request(file, { cookie })).status).toBe(404);
  await makeExport(app, id, app.now());
  const answer = await product.request(file, { cookie });
  expect(answer.headers.get("content-type")).toBe("application/zip");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe("PK");
  expect((await product.request(file, { cookie: other.cookie })).status).toBe(404);
  expect((await product.request(file)).headers.get("location")).toContain("/login");
  for (const wrong of ["..%2f..%2fetc", "1", "%00"]) {
    expect((await product.request(`${path}/export/${wrong}`, { cookie })).status).toBeLessThan(500);
  }
  await owner.query(
    "update sessions set proved_at = now() - interval '11 minutes' where user_id = $1",
    [ada.id],
  );
  const stale = await product.request(file, { cookie });
  expect(stale.headers.get("location")).toContain("/account/security/confirm?next=");
});

test("closing says first what will happen, asks for the password, and ends every session", async () => {
  const { cookie } = await aCustomer();
  const close = `${path}/close`;
  const before = await (await product.request(close, { cookie })).text();
  expect(before).toContain("What will happen");
  expect(before).toContain("We owe you nothing");
  const wrong = await product.request(close, { cookie, form: { password: "not my password" } });
  expect(wrong.status).toBe(400);
  const html = await wrong.text();
  expect(html).toContain("This is not your current password");
  expect(html).not.toContain("not my password");
  const done = await product.request(close, { cookie, form: { password: testPassword } });
  expect(done.headers.get("location")).toBe("/login");
  expect((await product.request(path, { cookie })).headers.get("location")).toContain("/login");
});

test("whoever is closing his account is offered the final payment of what is owed, wherever he lives and comes from", async () => {
  const { ada, cookie } = await aCustomer();
  const { address } = await letWithdraw(db, ada.id, {
    units: 1_234n,
    now: app.now(),
    address: someAddress(),
  });
  await owner.query("update sessions set proved_by = 'passkey', proved_at = now()");
  const closing = await product.request(`${path}/close`, {
    cookie,
    form: { password: testPassword },
  });
  expect(closing.headers.get("location")).toBe(`${path}/close`);
  const waiting = await (await product.request(`${path}/close`, { cookie })).text();
  expect(waiting).toContain("Final payment of bitcoin");
  expect(waiting).toContain("/account/withdraw?coin=BTC");
  expect(waiting).not.toContain("Final payment of USDT");
  const moved = { customerId: ada.id, country: "US", ...nobodysBrowser };
  await expect(stateResidence(db, moved, app.now())).rejects.toThrow("residence-refused");
  const page = await product.request("/account/withdraw?coin=BTC", { cookie });
  const html = await page.text();
  expect(html).toContain("The final payment");
  expect(html).toContain('name="final"');
  expect(html).toContain(address);
});

test("with a second factor, another address and closing ask for it besides the password, and lose nothing", async () => {
  const { ada, cookie: before } = await aCustomer();
  const withCookie = new Request(app.config.appUrl, { headers: { cookie: before } });
  const begunIn = (await findSignedInUser(app, withCookie))?.session.id ?? "";
  const secret = await beginTotp(db, app.auth, { userId: ada.id, begunIn, now: app.now() });
  const code = (drift: number) => totpCode(secret, totpStep(new Date()) + drift);
  const from = { clientAddress: "192.0.2.1", userAgent: "test", now: app.now() };
  const added = await addTotp(app, { userId: ada.id, sessionId: begunIn, ...from }, code(-1));
  const cookie = headerOf(added.cookies);
  const late = () =>
    owner.query(
      "update sessions set proved_at = now() - interval '11 minutes' where user_id = $1",
      [ada.id],
    );
  await late();
  const newEmail = `new.${ada.email}`;
  const form = { part: "email", seen: "", newEmail, password: testPassword };
  const asked = await product.request(path, { cookie, form });
  expect(asked.status).toBe(403);
  const page = await asked.text();
  expect(page).toContain(newEmail);
  expect(page).not.toContain(testPassword);
  expect(page).toContain('type="password"');
  expect(await row("email_changes", "user_id", ada.id)).toBeUndefined();
  // Another part of the profile is not asked about.
  const names = { part: "names", seen: "", firstName: "Ada", lastName: "King" };
  expect((await product.request(path, { cookie, form: names })).status).toBe(409);
  const confirmed = await product.request(path, {
    cookie,
    form: { ...form, confirmCode: code(0) },
  });
  expect(confirmed.status).toBe(302);
  expect(await row("email_changes", "user_id", ada.id)).toMatchObject({ new_email: newEmail });

  const fresh = cookiesOf(confirmed);
  await late();
  const close = `${path}/close`;
  const password = testPassword;
  const closing = await product.request(close, { cookie: fresh, form: { password } });
  expect(closing.status).toBe(403);
  const closed = await product.request(close, {
    cookie: fresh,
    form: { password, confirmCode: code(1) },
  });
  expect(closed.headers.get("location")).toBe("/login");
});

test("the dashboard says what a changed way in means, and leads to Security", async () => {
  const { ada, cookie } = await aCustomer();
  const dashboard = async () => (await product.request("/account/dashboard", { cookie })).text();
  expect(await dashboard()).not.toContain("See what changed");
  await owner.query(
    `insert into money_holds (id, user_id, reason, starts_at, ends_at)
       values (gen_random_uuid(), $1, 'password-changed', now(), now() + interval '24 hours')`,
    [ada.id],
  );
  const html = await dashboard();
  expect(html).toContain("withdrawals are paused until");
  expect(html).toContain("See what changed");
});

test("a customer's forms are counted all together: a script fills no history, and nothing is done beyond the limit", async () => {
  const { ada, send, seen } = await aCustomer();
  expect((await send("names", { firstName: "Augusta", lastName: "King" })).status).toBe(302);
  const elsewhere = await signInAs(product, ada);
  await owner.query("update attempts set count = 1000000");
  const answer = await send("names", { firstName: "Once", lastName: "More" });
  expect(answer.status).toBe(429);
  expect(await answer.text()).toContain("Please try again later");
  // Who has stolen a session keeps its owner from nothing.
  const names = { part: "names", seen: await seen("names"), firstName: "Augusta" };
  const form = { ...names, lastName: "Byron" };
  const owners = await product.request("/account/profile", { cookie: elsewhere, form });
  expect(owners.status).not.toBe(429);
  expect(await row("users", "id", ada.id)).toMatchObject({ first_name: "Augusta" });
  await owner.query("delete from attempts");
});
