import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { issueFormToken } from "#server/contact/form-token.ts";
import { limits as contactLimits } from "#server/contact/limits.ts";
import { sendResetLink } from "#server/identity/passwords/send-reset-link.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { limits as newsletterLimits } from "#server/newsletter/limits.ts";
import { keysOf, type Limit, wholeSite } from "#server/platform/rate-limit.ts";
import { createTestCustomer, testPassword } from "#tests/factories/customer.ts";
import { atProductCost } from "#tests/setup/password-cost.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner, request } = product;

/** Nobody is blamed for what a busy site did not look at, and everybody reads when to come back. */
async function expectBusy(answer: Response): Promise<void> {
  expect(answer.status).toBe(503);
  const html = await answer.text();
  expect(html).toContain("very busy");
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(html).not.toMatch(/not your (current )?password|Too many attempts|does not work any more/);
}

/** More at once than there is room for. */
const sendAtOnce = (send: () => Promise<Response>) =>
  Promise.all(Array.from({ length: availableParallelism() + 5 }, send));

const wrong = "not my password at all";
const change = { password: "a new and long one", confirmPassword: "a new and long one" };

const passwordForms: Array<[path: string, form: Record<string, string>]> = [
  ["/account/profile/close", { password: wrong }],
  ["/account/profile", { part: "email", newEmail: "else@example.com", password: wrong }],
  ["/account/security/password", { current: wrong, ...change }],
  ["/account/security/confirm", { password: wrong }],
];

test.each(passwordForms)(
  "%s says that the site is busy, not that the password is wrong",
  async (path, form) =>
    atProductCost(async () => {
      const cookie = await signInAs(product, await createTestCustomer(db));
      const answers = await sendAtOnce(() => request(path, { cookie, form }));
      const busy = answers.filter(({ status }) => status === 503);
      expect(busy.length).toBeGreaterThan(0);
      for (const answer of busy) await expectBusy(answer);
      const looked = answers.filter(({ status }) => status === 400);
      expect(looked.length).toBeGreaterThan(1);
      for (const answer of looked)
        expect(await answer.text()).toMatch(/not your (current )?password/);
    }),
);

test("a link that sets a password still works after the site was busy", () =>
  atProductCost(async () => {
    const ada = await createTestCustomer(db);
    await sendResetLink(db, { email: ada.email, site: app.config, now: app.now() });
    const { rows } = await owner.query("select body_text from mails where recipient = $1", [
      ada.email,
    ]);
    const token = /resetpassword\?token=([\w-]+)/.exec(JSON.stringify(rows))?.[1];
    const path = `/resetpassword?token=${token}`;
    const answers = await sendAtOnce(() => request(path, { form: change }));
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThan(0);
    // When these are drawn, the one that had room has used the link. Who comes later is led to what became of it.
    for (const { headers } of busy) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    const to = (place: string) =>
      answers.filter(({ headers }) => headers.get("location") === place);
    expect(to("/login")).toHaveLength(1);
    expect(busy.length + to("/login").length + to(path).length).toBe(answers.length);
  }));

const typed = () => ({
  fullName: "Ada Lovelace",
  email: "first@example.com",
  subject: "Fees",
  message: "What does a month cost?",
  formToken: issueFormToken(app.config.authSecret, new Date(Date.now() - 60_000)),
});
const newcomer = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "newcomer@example.com",
  password: testPassword,
  confirmPassword: testPassword,
  acceptedTerms: "on",
};

const siteLimits: Array<
  [path: string, limit: Limit, form: () => Record<string, string>, isSignedIn?: boolean]
> = [
  ["/login", limits.signInByNothing, () => ({ email: "ada@example.com", password: wrong })],
  ["/signup", limits.signUpByNothing, () => newcomer],
  ["/forgotpassword", limits.resetByNothing, () => ({ email: "ada@example.com" })],
  ["/verify-email", limits.resends, () => ({ intent: "resend" }), true],
  [
    "/account/profile",
    limits.emailChanges,
    () => ({ part: "email", newEmail: "else@example.com", password: testPassword }),
    true,
  ],
  ["/contact", contactLimits.withoutWork, typed],
  ["/newsletter", newsletterLimits.requests, () => ({ email: "reader@example.com" })],
];

test.each(siteLimits)(
  "%s blames nobody for a limit of the whole site",
  async (path, limit, form, isSignedIn) => {
    await owner.query("delete from attempts");
    await owner.query(
      `insert into attempts (key, count, window_ends_at) values ($1, $2, now() + interval '1 hour')`,
      [keysOf([[limit, wholeSite]])[0], limit.max],
    );
    const cookie = isSignedIn ? await signInAs(product, await createTestCustomer(db)) : "";
    const answer = await request(path, { form: form(), cookie, address: "203.0.113.9" });
    await expectBusy(answer);
  },
);
