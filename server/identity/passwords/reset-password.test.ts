import { expect, test, vi } from "vitest";
import { terms } from "#core/terms.ts";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { linkIn } from "#tests/fakes/smtp-inbox.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { createAuth } from "../sessions/auth.ts";
import { findSignedInUser } from "../sessions/signed-in-user.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { hashPassword } from "./password.ts";
import { resetPassword } from "./reset-password.ts";
import { sendResetLink, sendResetLinkLater } from "./send-reset-link.ts";

const { db, owner } = await testDatabase();
const config = readConfig({ AUTH_SECRET: "x".repeat(32), APP_URL: testSite.appUrl });
const auth = createAuth(config);
const ipCountry = { find: () => null };
const now = new Date();
const password = "a new password";

async function resetToken(email: string, at = now): Promise<string> {
  await sendResetLink(db, { email, site: testSite, now: at });
  const { rows } = await owner.query(
    "select body_text from mails where recipient = $1 and template = 'reset' order by id desc limit 1",
    [email],
  );
  return linkIn(rows[0].body_text, "/resetpassword").searchParams.get("token") ?? "";
}

function signInWith(email: string, typed: string) {
  const by = { clientAddress: "192.0.2.1", userAgent: "", cookieHeader: "", now: new Date() };
  return signIn(
    { db, auth, config, ipCountry },
    { email, password: typed, rememberMe: true, ...by },
  );
}

async function countMails() {
  const { rows } = await owner.query("select count(*)::int as count from mails");
  return rows[0].count;
}

test("sets the password, ends every session, and counts the mailbox as verified", async () => {
  const customer = await createTestCustomer(db);
  const { cookies } = await signInWith(customer.email, testPassword);
  await resetPassword(db, {
    token: await resetToken(customer.email),
    password,
    now,
    site: testSite,
  });
  const cookie = cookies.map((line) => line.split(";")[0]).join("; ");
  const request = new Request(testSite.appUrl, { headers: { cookie } });
  expect(await findSignedInUser({ auth, db }, request)).toBeNull();
  await expect(signInWith(customer.email, testPassword)).rejects.toThrow("sign-in-failed");
  await signInWith(customer.email, password);
  const { rows } = await owner.query("select email_verified from users where id = $1", [
    customer.id,
  ]);
  expect(rows[0].email_verified).toBe(true);
});

test("leaves no session that was being opened with the old password meanwhile", async () => {
  const customer = await createTestCustomer(db);
  const reset = await owner.connect();
  await reset.query("begin");
  const hash = await hashPassword(password);
  await reset.query("update credentials set password = $2 where user_id = $1", [customer.id, hash]);
  await reset.query("delete from sessions where user_id = $1", [customer.id]);
  await reset.query(
    `insert into money_holds (id, user_id, reason, starts_at, ends_at)
     values (gen_random_uuid(), $1, 'password-changed', now(), now() + interval '24 hours')`,
    [customer.id],
  );
  const refused = expect(signInWith(customer.email, testPassword)).rejects.toThrow(
    "sign-in-failed",
  );
  // The password was right when it was looked at, and its session waits for the reset; only then the reset commits.
  await vi.waitFor(async () => expect(await countWaiting()).toBe(1), 20_000);
  await reset.query("commit");
  reset.release();
  await refused;
  expect(await countSessions(customer.id)).toBe(0);
});

async function countWaiting() {
  const { rowCount } = await owner.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount;
}

async function countSessions(userId: string) {
  const { rowCount } = await owner.query("select from sessions where user_id = $1", [userId]);
  return rowCount;
}

test("takes the same password from another keyboard", async () => {
  const customer = await createTestCustomer(db, { password: "Ångström pass" });
  await signInWith(customer.email, "Ångström pass".normalize("NFD"));
});

test("works once, also when pressed several times at once", async () => {
  const customer = await createTestCustomer(db);
  const token = await resetToken(customer.email);
  const pressed = Array.from({ length: 4 }, (_, n) =>
    resetPassword(db, { token, password: `correct horse battery ${n}`, now, site: testSite }),
  );
  const outcomes = await Promise.allSettled(pressed);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(resetPassword(db, { token, password, now, site: testSite })).rejects.toMatchObject({
    code: "identity/link-used",
  });
});

test("does not work after an hour, after a newer link, or with a made-up token", async () => {
  const customer = await createTestCustomer(db);
  const first = await resetToken(customer.email);
  const afterwards = new Date(now.getTime() + terms.resetLinkMinutes * 60_000);
  await expect(
    resetPassword(db, { token: first, password, now: afterwards, site: testSite }),
  ).rejects.toMatchObject({
    code: "identity/link-expired",
  });
  await resetToken(customer.email);
  await expect(
    resetPassword(db, { token: first, password, now, site: testSite }),
  ).rejects.toMatchObject({
    code: "identity/link-replaced",
  });
  await expect(
    resetPassword(db, { token: "made-up", password, now, site: testSite }),
  ).rejects.toMatchObject({
    code: "identity/link-unknown",
  });
  await signInWith(customer.email, testPassword);
});

test("promises a link for any address alike, and mails one only to somebody who may sign in", async () => {
  await sendResetLinkLater(db, "Nobody@Example.com");
  const { rows } = await owner.query(
    "select payload from graphile_worker._private_jobs order by id desc limit 1",
  );
  expect(rows[0].payload).toEqual({ email: "nobody@example.com" });
  const operator = await createTestOperator(db, { role: "support" });
  await changeTestOperator(owner, operator.id, { state: "suspended" });
  const before = await countMails();
  await sendResetLink(db, { email: "nobody@example.com", site: testSite, now });
  await sendResetLink(db, { email: operator.email, site: testSite, now });
  expect(await countMails()).toBe(before);
});

test("an operator's invitation sets the first password, once, within 24 hours", async () => {
  const operator = await createTestOperator(db, { now });
  await expect(signInWith(operator.email, "")).rejects.toThrow();
  const token = new URL(operator.invitationUrl).searchParams.get("token") ?? "";
  const tooLate = new Date(now.getTime() + terms.operatorInvitationHours * 3_600_000);
  await expect(
    resetPassword(db, { token, password, now: tooLate, site: testSite }),
  ).rejects.toMatchObject({
    code: "identity/link-expired",
  });
  await resetPassword(db, { token, password, now, site: testSite });
  await expect(
    resetPassword(db, { token, password: `another ${password}`, now, site: testSite }),
  ).rejects.toMatchObject({ code: "identity/link-used" });
  expect((await signInWith(operator.email, password)).user.kind).toBe("operator");
});
