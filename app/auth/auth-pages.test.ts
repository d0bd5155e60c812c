import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { expect, test } from "vitest";
import { issueFormToken } from "#server/contact/form-token.ts";
import { sendResetLink } from "#server/identity/passwords/send-reset-link.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { countAttempt, wholeSite } from "#server/platform/rate-limit.ts";
import { createTestCustomer, testPassword } from "#tests/factories/customer.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { linkIn } from "#tests/fakes/smtp-inbox.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { cookiesOf, testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db, owner, request } = product;

const registration = {
  firstName: "Ada",
  lastName: "Lovelace",
  password: testPassword,
  confirmPassword: testPassword,
  acceptedTerms: "on",
};

/** As the pages' own script sends forms. */
const accept = "application/json";

let places = 0;
/** A place that no one came from yet, so that tests do not share limits. */
function place(): string {
  places += 1;
  return `198.51.100.${places}`;
}

/** What a reader of an answer can tell it by, without what differs on every answer. */
async function tellable(answer: Response, typed: string) {
  const headers = [...answer.headers]
    .filter(([name]) => !["x-request-id", "content-security-policy", "date"].includes(name))
    .sort();
  const body = (await answer.text())
    .replaceAll(typed, "TYPED")
    .replace(/nonce="[^"]*"/g, "")
    .replace(/\b1[78]\d{11}\b/g, "TIME");
  return { status: answer.status, headers, body };
}

async function jobs() {
  const { rows } = await owner.query("select count(*)::int as count from graphile_worker.jobs");
  return rows[0].count;
}

async function newestMail(recipient: string): Promise<string> {
  const { rows } = await owner.query(
    "select body_text from mails where recipient = $1 order by id desc limit 1",
    [recipient],
  );
  return rows[0].body_text;
}

test.each(["/login", "/login.data"])(
  "%s answers a wrong password and an unknown address alike",
  async (path) => {
    const { email } = await createTestCustomer(db);
    const answers = [];
    for (const typed of [email, email.replace("customer", "nonsense")]) {
      const form = { email: typed, password: "not my password" };
      answers.push(await tellable(await request(path, { form, address: place() }), typed));
    }
    expect(answers[0]?.status).toBe(400);
    expect(answers[0]?.body).toContain("Login failed");
    expect(answers[0]).toEqual(answers[1]);
  },
);

test("/forgotpassword answers an unknown address as a known one, and does the same work", async () => {
  const { email } = await createTestCustomer(db);
  const answers = [];
  for (const typed of [email, email.replace("customer", "nonsense")]) {
    const before = await jobs();
    answers.push(
      await tellable(
        await request("/forgotpassword", { form: { email: typed }, address: place() }),
        typed,
      ),
    );
    expect((await jobs()) - before).toBe(1);
  }
  expect(answers[0]).toMatchObject({ status: 302 });
  expect(answers[0]).toEqual(answers[1]);
});

test("/signup answers a taken address as a registration that failed for another cause", async () => {
  const { email } = await createTestCustomer(db);
  const form = { ...registration, email };
  const taken = await tellable(await request("/signup", { form, address: place() }), email);
  expect(taken.status).toBe(400);
  expect(taken.body).toContain("registration failed");
  expect(taken.body).not.toMatch(/is taken|already registered|already exists/i);
  const before = await jobs();
  await owner.query("alter table customers add constraint broken check (id is null) not valid");
  const broken = await tellable(
    await request("/signup", { form: { ...form, email: "free@example.com" }, address: place() }),
    "free@example.com",
  );
  await owner.query("alter table customers drop constraint broken");
  expect(broken).toEqual(taken);
  expect(await jobs()).toBe(before);
});

test("without JavaScript, registering signs in, goes on at once, and the next page says what was done", async () => {
  const form = { ...registration, email: "plain@example.com" };
  const answer = await request("/signup", { form, address: place() });
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toBe("/account/dashboard");
  const page = await request("/account/dashboard", { cookie: cookiesOf(answer) });
  const html = await page.text();
  expect(html).toContain("registration successful");
  expect(html).toContain("email verification sent");
});

test("with JavaScript, the answer leaves toast and wait to the page", async () => {
  const { email } = await createTestCustomer(db);
  const form = { email, password: testPassword };
  const login = "/login?next=%2Faccount%2Fdeposit";
  const answer = await request(login, { form, accept, address: place() });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("location")).toBeNull();
  expect(await answer.json()).toEqual({
    next: "/account/deposit",
    said: [{ tone: "success", text: "Login successful" }],
  });
  expect(cookiesOf(answer)).toContain("assay.session_token=");
  expect(cookiesOf(answer)).not.toContain("flash=");
  // Also to someone who is signed in already, as someone else perhaps.
  const cookie = cookiesOf(answer);
  const again = await request(login, { form, cookie, accept, address: place() });
  expect(await again.json()).toMatchObject({ next: "/account/deposit" });
  expect(cookiesOf(again)).toContain("assay.session_token=");
});

test("with JavaScript, a refused form is told what is wrong, and a redirect where it leads", async () => {
  const answerTo = (path: string, form: Record<string, string>) =>
    request(path, { form, accept, address: place() });
  const refused = await answerTo("/signup", { ...registration, email: "typed@nowhere" });
  expect(refused.status).toBe(400);
  const text = await refused.text();
  expect(JSON.parse(text)).toMatchObject({
    result: { error: { email: ["Invalid email format"] } },
  });
  expect(text).not.toContain(testPassword);
  const sent = await answerTo("/forgotpassword", { email: "nobody@example.com" });
  expect(sent.status).toBe(200);
  expect(await sent.json()).toEqual({ next: "/login" });
  const login = await request("/login", { cookie: cookiesOf(sent) });
  expect(await login.text()).toContain("Password reset link sent to your email");
});

test("keeps what was typed, passwords excepted, and says what is wrong under each field", async () => {
  const form = {
    ...registration,
    email: "typed@nowhere",
    firstName: "",
    lastName: "Lovelace-Byron",
  };
  const html = await (await request("/signup", { form, address: place() })).text();
  expect(html).toContain("please enter your first name");
  expect(html).toContain("Invalid email format");
  expect(html).toContain('value="typed@nowhere"');
  expect(html).toContain('value="Lovelace-Byron"');
  expect(html).not.toContain(testPassword);
});

test("ignores what a form may not set", async () => {
  const email = "mass@example.com";
  const extra = { id: "1", kind: "operator", role: "owner", emailVerified: "true", userId: "1" };
  const form = { ...registration, ...extra, email, "__proto__.role": "owner" };
  expect((await request("/signup", { form, address: place() })).status).toBe(302);
  const { rows } = await owner.query("select kind, email_verified from users where email = $1", [
    email,
  ]);
  expect(rows).toEqual([{ kind: "customer", email_verified: false }]);
});

test("says when to try again after too many attempts, from one place and on one account", async () => {
  const address = place();
  const form = { email: "limited@example.com", password: "not my password" };
  let answer = await request("/login", { form, address });
  for (let n = 0; n < 10; n += 1) answer = await request("/login", { form, address });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(800);
  const html = await answer.text();
  expect(html).toContain("Too many attempts. Please try again in 15 minutes.");
  expect(html).toContain('value="limited@example.com"');
});

test("sends a stranger to the sign-in page and back to the page that was wanted", async () => {
  const { email } = await createTestCustomer(db);
  for (const path of ["/account/deposit?show=25", "/account/deposit.data?show=25"]) {
    const away = await request(path);
    const text = away.headers.get("location") ?? (await away.text());
    expect(text).toContain("/login?next=%2Faccount%2Fdeposit%3Fshow%3D25");
  }
  const form = { email, password: testPassword };
  const login = "/login?next=%2Faccount%2Fdeposit%3Fshow%3D25";
  const answer = await request(login, { form, address: place() });
  expect(answer.headers.get("location")).toBe("/account/deposit?show=25");
  const again = await request(login, { cookie: cookiesOf(answer) });
  expect(again.headers.get("location")).toBe("/account/deposit?show=25");
});

test("leads staff to the console and keeps each kind of person out of the other's section", async () => {
  const [customer, operator] = [await createTestCustomer(db), await createTestOperator(db)];
  const cookies = {
    customer: await signInAs(product, customer),
    operator: await signInAs(product, operator),
  };
  const form = { email: operator.email, password: testPassword };
  const answer = await request("/login?next=%2Faccount", { form, address: place() });
  expect(answer.headers.get("location")).toBe("/login/second-factor?next=%2Faccount");
  const home = await request("/login?next=%2Faccount", { cookie: cookies.operator });
  expect(home.headers.get("location")).toBe("/operator");
  expect((await request("/operator", { cookie: cookies.customer })).status).toBe(404);
  const elsewhere = await request("/account", { cookie: cookies.operator });
  expect(elsewhere.headers.get("location")).toBe("/operator");
});

test("refuses a suspended operator on the very next request", async () => {
  const operator = await createTestOperator(db);
  const cookie = await signInAs(product, operator);
  expect((await request("/operator/audit", { cookie })).status).toBe(200);
  await changeTestOperator(owner, operator.id, { state: "suspended" });
  expect((await request("/operator/audit", { cookie })).status).toBe(404);
  expect((await request("/operator/audit.data", { cookie })).status).toBe(404);
  expect((await request("/login", { cookie })).status).toBe(200);
});

test("signs out by a form only, and the cookie is worth nothing afterwards", async () => {
  const cookie = await signInAs(product, await createTestCustomer(db));
  expect((await request("/signout", { cookie })).headers.get("location")).toBe("/login");
  expect((await request("/account", { cookie })).status).toBe(200);
  const elsewhere = await request("/signout", { cookie, form: {}, origin: "https://evil.example" });
  expect(elsewhere.status).toBe(403);
  const answer = await request("/signout", { cookie, form: { now: "1" } });
  expect(answer.headers.get("location")).toBe("/login");
  const login = await request("/login", { cookie: cookiesOf(answer) });
  expect(await login.text()).toContain("Successfully signed out");
  expect((await request("/account", { cookie })).headers.get("location")).toContain("/login?next=");
});

test("a session that could not be ended goes on, and the next page says so", async () => {
  const cookie = await signInAs(product, await createTestCustomer(db));
  await owner.query("revoke delete on sessions from assay_app");
  const answer = await request("/signout", { cookie, form: { now: "1" } });
  await owner.query("grant delete on sessions to assay_app");
  const login = await request("/login", { cookie: cookiesOf(answer) });
  expect(await login.text()).toContain("Error signing out: the session could not be ended.");
  expect((await request("/account", { cookie })).status).toBe(200);
});

test("who could not be signed out stays on the page with the button", async () => {
  const cookie = await signInAs(product, await createTestCustomer(db));
  const from = (referer: string) => ({ cookie, form: {}, headers: { referer } });
  const { appUrl } = product.app.config;
  await owner.query("revoke delete on sessions from assay_app");
  const stays = await request("/signout", from(`${appUrl}/account/mining?page=2`));
  const strange = await request("/signout", from("https://evil.example/account"));
  const elsewhere = await request("/signout", from(`${appUrl}/signout`));
  const headers = { accept: "application/json" };
  const script = await request("/signout", { cookie, form: {}, headers });
  await owner.query("grant delete on sessions to assay_app");
  expect(stays.headers.get("location")).toBe("/account/mining?page=2");
  expect(strange.headers.get("location")).toBe("/login");
  expect(elsewhere.headers.get("location")).toBe("/login");
  expect([script.status, await script.json()]).toEqual([
    503,
    { failure: "the session could not be ended. You are still signed in. Please try again." },
  ]);
  const done = await request("/signout", { cookie, form: {}, headers });
  expect(await done.json()).toEqual({ next: "/login" });
  expect(done.headers.getSetCookie().join()).toContain("session_token=;");
});

test("a reset link that could not be asked for says so, and keeps the address", async () => {
  await owner.query("revoke insert on attempts from assay_app");
  const form = { email: "ada@example.com" };
  const answer = await request("/forgotpassword", { form, address: place() });
  await owner.query("grant insert on attempts to assay_app");
  const html = await answer.text();
  expect(html).toContain("Failed to send password reset link");
  expect(html).toContain('value="ada@example.com"');
});

test("who sends a new password twice reads that it is set, with a script and without", async () => {
  const { email } = await createTestCustomer(db);
  await sendResetLink(db, { email, site: product.app.config, now: new Date() });
  const { pathname, search } = linkIn(await newestMail(email), "/resetpassword");
  const link = pathname + search;
  const form = { password: "a new password", confirmPassword: "a new password" };
  const send = (more = {}) => request(link, { form, address: place(), ...more });
  expect((await send()).headers.get("location")).toBe("/login");
  // Its answer was lost.
  expect((await send()).headers.get("location")).toBe(link);
  expect(await (await send({ accept })).json()).toMatchObject({ next: link });
  expect(await (await request(link)).text()).toContain("your password is set");
});

test("opening a verification link uses nothing up; the button does; then the page says so", async () => {
  const { email } = await createTestCustomer(db);
  const { pathname, search } = linkIn(await newestMail(email), "/verify-email");
  const link = pathname + search;
  for (let n = 0; n < 3; n += 1) {
    const page = await request(link);
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(await page.text()).toContain("Verify e-mail address");
  }
  const answer = await request(link, { form: { intent: "verify" }, address: place() });
  expect(answer.headers.get("location")).toBe("/login");
  expect(await (await request(link)).text()).toContain("You have done this already");
});

test("an expired verification link offers a new one, which works", async () => {
  const { email, id } = await createTestCustomer(db);
  const { pathname, search } = linkIn(await newestMail(email), "/verify-email");
  await owner.query("update mailed_links set expires_at = now() where user_id = $1", [id]);
  const link = pathname + search;
  expect(await (await request(link)).text()).toContain("This link has expired");
  const address = place();
  const answer = await request(link, { form: { intent: "resend" }, address });
  expect(answer.status).toBe(302);
  const fresh = linkIn(await newestMail(email), "/verify-email");
  expect(fresh.search).not.toBe(search);
  await request(fresh.pathname + fresh.search, { form: { intent: "verify" }, address });
  const { rows } = await owner.query("select email_verified from users where id = $1", [id]);
  expect(rows[0].email_verified).toBe(true);
});

test.each(["", "?token=", "?token=made-up", "?token=%00", `?token=${"x".repeat(5000)}`])(
  "answers nonsense behind a link calmly: %j",
  async (search) => {
    expect((await request(`/verify-email${search}`)).status).toBe(200);
    expect((await request(`/resetpassword${search}`)).status).toBe(200);
    const form = { intent: "verify", password: testPassword, confirmPassword: testPassword };
    expect((await request(`/verify-email${search}`, { form, address: place() })).status).toBe(400);
    expect((await request(`/resetpassword${search}`, { form, address: place() })).status).toBe(400);
  },
);

test("a busy site answers 503, keeps the e-mail and never the password, and lets in who has waited", async () => {
  const { email } = await createTestCustomer(db);
  const form = { email, password: testPassword };
  const at = product.app.now();
  await owner.query("delete from attempts");
  for (let n = 0; n < limits.signInByNothing.max; n += 1)
    await countAttempt(db, limits.signInByNothing, wholeSite, at);
  const busy = await request("/login", { form, address: place() });
  expect(busy.status).toBe(503);
  expect(busy.headers.get("retry-after")).toBe("10");
  const html = await busy.text();
  expect(html).toContain("Wait 10 seconds and type your password again");
  expect(html).toContain(email);
  expect(html).not.toContain(testPassword);
  const waitingSince = /name="waitingSince" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const early = await request("/login", { form: { ...form, waitingSince }, address: place() });
  expect(early.status).toBe(503);
  expect(await early.text()).toContain(waitingSince);
  const before = new Date(at.getTime() - 11_000);
  const waited = issueFormToken(product.app.config.authSecret, before);
  const patient = await request("/login", {
    form: { ...form, waitingSince: waited },
    address: place(),
  });
  expect(patient.status).toBe(302);
  const challenge = await (await request("/contact/challenge", { address: place() })).json();
  const solution = await solveChallenge({ challenge, deriveKey });
  const proof = btoa(JSON.stringify({ challenge, solution }));
  const worked = await request("/login", { form: { ...form, proof }, accept, address: place() });
  expect(worked.status).toBe(200);
  const again = await request("/login", { form: { ...form, proof }, accept, address: place() });
  expect(again.status).toBe(503);
  const answer = await again.json();
  expect(answer).toMatchObject({ busy: { waitingSince: expect.any(String) } });
  expect(answer.failure).toBeUndefined();
  expect(answer.result.error).toBeFalsy();
  for (let n = 0; n < limits.resetByNothing.max; n += 1)
    await countAttempt(db, limits.resetByNothing, wholeSite, at);
  const noPassword = await request("/forgotpassword", { form: { email }, address: place() });
  const page = await noPassword.text();
  expect(page).toContain("Wait 10 seconds, then send the form again");
  expect(page).not.toContain("type your password");
  await owner.query("delete from attempts");
});
