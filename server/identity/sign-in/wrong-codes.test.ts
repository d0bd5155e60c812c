import { expect, test } from "vitest";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import type { Actor } from "../audit/actor.ts";
import { addTotp, renewRecoveryCodes } from "../mfa/change-mfa.ts";
import { beginTotp } from "../mfa/set-up-totp.ts";
import { totpCode, totpStep } from "../mfa/totp.ts";
import { createAuth } from "../sessions/auth.ts";
import { findSignedInUser } from "../sessions/signed-in-user.ts";
import { confirmAgain } from "../step-up/confirm-again.ts";
import { limits } from "./limits.ts";
import { passMfa } from "./pass-mfa.ts";
import { signIn } from "./sign-in.ts";

const { db, owner } = await testDatabase();
const config = readConfig({ AUTH_SECRET: "x".repeat(32), APP_URL: testSite.appUrl });
const app = { db, config, auth: createAuth(config), ipCountry: { find: () => null } };
const from = { clientAddress: "192.0.2.1", userAgent: "test" };
const hourMs = 3_600_000;
const headerOf = (cookies: string[]) => cookies.map((cookie) => cookie.split(";")[0]).join("; ");

/** The password was right: what the browser then has, beside the cookies it had. */
async function half(email: string, now: Date, known = "", place = "192.0.2.1") {
  const typed = { email, password: testPassword, rememberMe: false };
  const at = { clientAddress: place, userAgent: "test", now };
  const { cookies } = await signIn(app, { ...typed, ...at, cookieHeader: known });
  return { ...at, cookieHeader: [known, headerOf(cookies)].filter(Boolean).join("; ") };
}

/** A customer with an app, an open session, and the browser that it is open in. */
async function customerWithApp(now: Date) {
  const customer = await createTestCustomer(db);
  const typed = { email: customer.email, password: testPassword, rememberMe: false };
  const { cookies } = await signIn(app, { ...typed, ...from, cookieHeader: "", now });
  const cookieHeader = headerOf(cookies);
  const user = await findSignedInUser(
    app,
    new Request(config.appUrl, { headers: { cookie: cookieHeader } }),
  );
  const actor: Actor = {
    userId: customer.id,
    sessionId: user?.session.id ?? "",
    ...from,
    now,
  };
  const secret = await beginTotp(db, app.auth, { ...actor, begunIn: actor.sessionId });
  const code = (drift: number, at = now) => totpCode(secret, totpStep(at) + drift);
  await addTotp(app, actor, code(-1));
  const known = cookies.find((line) => line.startsWith("assay.known_device="))?.split(";")[0] ?? "";
  return { customer, actor, code, known };
}

/** Somebody who knows the password types wrong codes, with ever new halves, until refused for it. */
async function guessCodes(email: string, now: Date, tries: number): Promise<string[]> {
  const refusals: string[] = [];
  let visitor = await half(email, now, "", "203.0.113.9");
  for (let n = 0; n < tries; n += 1) {
    if (n % 5 === 0) visitor = await half(email, now, "", `203.0.113.${n}`);
    const tried = passMfa(app, visitor, { code: "000000" });
    refusals.push(
      await tried.then(
        () => "in",
        (error) => error.code,
      ),
    );
  }
  return refusals;
}

const mailsOf = async (id: string, template: string) =>
  (
    await owner.query("select subject, body_text from mails where user_id = $1 and template = $2", [
      id,
      template,
    ])
  ).rows;

test("who knows the password alone locks the owner out neither of the open session nor of a known browser", async () => {
  const now = new Date();
  const { customer, actor, code, known } = await customerWithApp(now);
  const refusals = await guessCodes(customer.email, now, 25);
  expect(refusals.at(-1)).toBe("platform/too-many-attempts");
  await confirmAgain(app, actor, { code: code(0) });
  const visitor = await half(customer.email, now, known, "198.51.100.1");
  const { user } = await passMfa(app, visitor, { code: code(1) });
  expect(user.id).toBe(customer.id);
});

test("nor out of a new browser with a recovery code, which cannot be guessed", async () => {
  const now = new Date();
  const { customer, actor } = await customerWithApp(now);
  const [recovery = ""] = await renewRecoveryCodes(app, actor);
  await guessCodes(customer.email, now, 25);
  const visitor = await half(customer.email, now, "", "198.51.100.2");
  const { user } = await passMfa(app, visitor, { code: recovery });
  expect(user.id).toBe(customer.id);
});

test("the owner is told by mail and history at the fifth wrong code, once a day", async () => {
  const now = new Date();
  const { customer } = await customerWithApp(now);
  await guessCodes(customer.email, now, 4);
  expect(await mailsOf(customer.id, "wrong-codes")).toHaveLength(0);
  await guessCodes(customer.email, now, 6);
  const [mail, ...more] = await mailsOf(customer.id, "wrong-codes");
  expect(more).toHaveLength(0);
  expect(mail.subject).toContain("knows the password");
  expect(mail.body_text).toContain("/freeze?token=");
  const { rows } = await owner.query(
    "select by, ip_address from account_events where user_id = $1 and event = 'wrong-codes'",
    [customer.id],
  );
  expect(rows).toEqual([{ by: "system", ip_address: expect.stringMatching(/^203\.0\.113\./) }]);
  await guessCodes(customer.email, new Date(now.getTime() + 25 * hourMs), 5);
  expect(await mailsOf(customer.id, "wrong-codes")).toHaveLength(2);
});

test("strangers have fewer codes a day than hours would allow", async () => {
  const now = new Date();
  const { customer } = await customerWithApp(now);
  let taken = 0;
  for (let hour = 0; hour < 4; hour += 1) {
    const at = new Date(now.getTime() + hour * 61 * 60_000);
    const refusals = await guessCodes(customer.email, at, 21);
    taken += refusals.filter((code) => code === "identity/wrong-code").length;
  }
  expect(taken).toBe(limits.codesOfStrangersADay.max);
});

test("wrong codes in an open session are told of, too, and end there", async () => {
  const now = new Date();
  const { customer, actor } = await customerWithApp(now);
  const refusals: string[] = [];
  for (let n = 0; n <= limits.codesInSession.max; n += 1)
    await confirmAgain(app, actor, { code: "000000" }).catch((error) => refusals.push(error.code));
  expect(refusals.at(-1)).toBe("platform/too-many-attempts");
  expect(await mailsOf(customer.id, "wrong-codes-in-session")).toHaveLength(1);
});
