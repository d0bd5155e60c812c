import { expect, test } from "vitest";
import { resetPassword } from "#server/identity/passwords/reset-password.ts";
import { createTestCustomer, testPassword } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { letWithdraw, someAddress } from "#tests/factories/withdrawal.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { cookiesOf, testApp } from "#tests/setup/test-app.ts";

const product = await testApp({ APP_URL: "http://localhost:3000" });
const { app, db, owner, request } = product;

const pages = [
  "",
  "/authenticator",
  "/passkey",
  "/recovery-codes",
  "/password",
  "/history",
  "/confirm",
];

/** Makes the second factor of a session older than what a sensitive page takes. */
async function grow(userId: string) {
  await owner.query(
    "update sessions set proved_at = now() - interval '11 minutes' where user_id = $1",
    [userId],
  );
}

test("staff without a factor reach the page that sets one up, and nothing else", async () => {
  const operator = await createTestOperator(db);
  const token = new URL(operator.invitationUrl).searchParams.get("token") ?? "";
  await resetPassword(db, { token, password: testPassword, site: app.config, now: app.now() });
  const form = { email: operator.email, password: testPassword };
  const answer = await request("/login", { form });
  expect(answer.headers.get("location")).toBe("/login/set-up-second-factor");
  const cookie = cookiesOf(answer);
  expect(cookie).not.toContain("session_token");
  for (const path of [
    "/operator",
    "/operator/customers",
    "/account",
    ...pages.map((page) => `/operator/security${page}`),
  ]) {
    const refused = await request(path, { cookie });
    expect(refused.headers.get("location"), path).toContain("/login?next=");
  }
  const setUp = await request("/login/set-up-second-factor", { cookie });
  expect(setUp.status).toBe(200);
  expect(await setUp.text()).toContain("Scan this with an authenticator app");
});

test("a sensitive page asks again after ten minutes, and leads back", async () => {
  const operator = await createTestOperator(db);
  const cookie = await signInAs(product, operator);
  await grow(operator.id);
  const own = await request("/operator/security/recovery-codes", { cookie });
  expect(own.headers.get("location")).toContain("/operator/security/confirm?next=");
  const change = { current: testPassword, password: "a new and long one" };
  for (const form of [undefined, { ...change, confirmPassword: change.password }]) {
    const answer = await request("/operator/security/password", { cookie, ...(form && { form }) });
    expect(answer.headers.get("location")).toContain("/operator/security/confirm?next=");
  }
});

test("asking again leads nowhere but into the same section", async () => {
  const customer = await createTestCustomer(db);
  let cookie = await signInAs(product, customer);
  for (const next of [
    "https://evil.example/",
    "//evil.example",
    "/operator",
    "/account/../operator",
  ]) {
    const path = `/account/security/confirm?next=${encodeURIComponent(next)}`;
    const answer = await request(path, { cookie, form: { password: testPassword } });
    expect(answer.headers.get("location"), next).toBe("/account/security");
    const before = cookie;
    cookie = cookiesOf(answer);
    expect((await request("/account/security", { cookie })).status, next).toBe(200);
    // A copy of the cookie that was not what was shown.
    const copied = await request("/account/security", { cookie: before });
    expect(copied.headers.get("location"), next).toContain("/login?next=");
  }
});

test("asked again, signs one other session out, or all; never somebody else's", async () => {
  const [customer, other] = [await createTestCustomer(db), await createTestCustomer(db)];
  const [here, there, elsewhere] = [
    await signInAs(product, customer),
    await signInAs(product, customer),
    await signInAs(product, other),
  ];
  const idOf = async (userId: string) => {
    const { rows } = await owner.query(
      "select id from sessions where user_id = $1 order by created_at desc limit 1",
      [userId],
    );
    return rows[0].id as string;
  };
  const end = (form: Record<string, string>) =>
    request("/account/security", { cookie: here, form });
  await end({ intent: "end", id: await idOf(other.id) });
  expect((await request("/account", { cookie: elsewhere })).status).toBe(200);
  const own = { intent: "end", id: await idOf(customer.id) };
  // Who was let in long ago shows once more that it is him.
  await grow(customer.id);
  for (const form of [own, { intent: "end-others" }]) {
    expect((await end(form)).headers.get("location")).toContain("/account/security/confirm?next=");
  }
  expect((await request("/account", { cookie: there })).status).toBe(200);
  await owner.query("update sessions set proved_at = now() where user_id = $1", [customer.id]);
  await end(own);
  expect((await request("/account", { cookie: there })).status).toBe(302);
  const third = await signInAs(product, customer);
  await end({ intent: "end-others" });
  expect((await request("/account", { cookie: third })).status).toBe(302);
  const page = await (await request("/account/security", { cookie: here })).text();
  expect(page).toContain("this one".charAt(0).toUpperCase() + "this one".slice(1));
  expect(page).toContain("Signed out in other browsers");
});

test("a factor is not removed, added or renewed by who has not just shown one", async () => {
  const customer = await createTestCustomer(db);
  const cookie = await signInAs(product, customer);
  await grow(customer.id);
  for (const page of ["/authenticator", "/passkey", "/recovery-codes"]) {
    for (const form of [undefined, { code: "123456", passkey: "{}" }]) {
      const answer = await request(`/account/security${page}`, { cookie, ...(form && { form }) });
      expect(answer.headers.get("location"), page).toContain("/account/security/confirm?next=");
    }
  }
  const removal = { intent: "remove-authenticator" };
  const answer = await request("/account/security", { cookie, form: removal });
  expect(answer.headers.get("location")).toContain("/account/security/confirm");
  const question = await request("/passkey/question", { cookie, form: { purpose: "register" } });
  expect(question.status).toBe(400);
});

test("an authenticator that answers nonsense is refused, and nothing breaks", async () => {
  const customer = await createTestCustomer(db);
  const cookie = await signInAs(product, customer);
  for (const passkey of [
    "",
    "{}",
    "null",
    '{"response":{}}',
    `{"id":"a","rawId":"a","response":{"clientDataJSON":"e30","authenticatorData":"","signature":"","attestationObject":""}}`,
  ]) {
    const signedIn = await request("/login/passkey", { form: { passkey } });
    expect(signedIn.status, passkey).toBe(400);
    const added = await request("/account/security/passkey", { cookie, form: { passkey } });
    expect(added.status, passkey).toBe(400);
  }
});

test("a common password is refused at its field wherever one is set", async () => {
  const customer = await createTestCustomer(db);
  const cookie = await signInAs(product, customer);
  const common = { password: "Football1", confirmPassword: "Football1" };
  const signUp = { firstName: "A", lastName: "B", email: "new@example.com", acceptedTerms: "on" };
  const answers = [
    await request("/signup", { form: { ...signUp, ...common } }),
    await request("/account/security/password", {
      cookie,
      form: { current: testPassword, ...common },
    }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("one of the passwords that guessers try first");
  }
});

test("recovery codes lead on to the withdrawal that the second factor was set up for, and to no other site", async () => {
  const customer = await createTestCustomer(db);
  const cookie = await signInAs(product, customer);
  const funded = { units: 70_000n, address: someAddress(), now: app.now() };
  await letWithdraw(db, customer.id, funded);
  const codes = (next: string) =>
    request(`/account/security/recovery-codes?next=${encodeURIComponent(next)}`, { cookie });
  const html = await (await codes("/account/withdraw?coin=BTC")).text();
  expect(html).toMatch(/href="\/account\/withdraw\?coin=BTC"[^>]*>Continue to your withdrawal/);
  const elsewhere = await (await codes("//evil.example/account/withdraw")).text();
  expect(elsewhere).not.toContain("Continue to your withdrawal");
  expect(elsewhere).not.toMatch(/href="[^"]*evil/);
});

test("another site cannot have a file taken away through the page that waits for it", async () => {
  const cookie = await signInAs(product, await createTestOperator(db));
  const page = "/operator/security/confirm?next=%2Foperator%2Faudit.csv&file=comes";
  const read = async (site: string) =>
    (await request(page, { cookie, headers: { "sec-fetch-site": site } })).text();
  expect(await read("same-origin")).toContain("0;url=/operator/audit.csv");
  expect(await read("cross-site")).not.toContain("0;url=");
});
