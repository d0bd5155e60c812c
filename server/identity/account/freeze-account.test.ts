import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eq } from "#server/platform/sql.ts";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { linkIn } from "#tests/fakes/smtp-inbox.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { actAsOperator } from "../audit/act-as-operator.ts";
import { changePassword } from "../passwords/change-password.ts";
import { resetPassword } from "../passwords/reset-password.ts";
import { sendResetLink } from "../passwords/send-reset-link.ts";
import { credentials } from "../schema.ts";
import { createAuth } from "../sessions/auth.ts";
import { findSignedInUser } from "../sessions/signed-in-user.ts";
import { signIn } from "../sign-in/sign-in.ts";
import { startView } from "../viewing/view-as-customer.ts";
import { recordAccountEvent } from "./account-events.ts";
import { freezeAsOperator, freezeByLink, inspectFreezeLink } from "./freeze-account.ts";
import { getAccess } from "./get-security-facts.ts";
import { holdMoney } from "./hold-money.ts";
import { listAccountHistory } from "./list-account-history.ts";
import { queueSecurityMail } from "./queue-security-mail.ts";
import { unfreezeAsOperator } from "./unfreeze-account.ts";

const { db, owner } = await testDatabase();
const config = readConfig({ AUTH_SECRET: "x".repeat(32), APP_URL: testSite.appUrl });
const app = { db, config, auth: createAuth(config), ipCountry: { find: () => null } };
const from = { clientAddress: "192.0.2.1", userAgent: "test" };
const now = new Date();
const dayMs = 86_400_000;

function enter(email: string, password = testPassword) {
  return signIn(app, { email, password, rememberMe: false, ...from, cookieHeader: "", now });
}

async function actorOf(email: string, given?: string[]) {
  const cookies = given ?? (await enter(email)).cookies;
  const cookie = cookies.map((each) => each.split(";")[0]).join("; ");
  const user = await findSignedInUser(app, new Request(config.appUrl, { headers: { cookie } }));
  if (!user) throw new Error("not signed in");
  return { userId: user.id, sessionId: user.session.id, ...from, now };
}

/** Whether a cookie of before still opens the account. */
async function opens(cookies: string[]): Promise<boolean> {
  const headers = { cookie: cookies.map((each) => each.split(";")[0]).join("; ") };
  return (await findSignedInUser(app, new Request(config.appUrl, { headers }))) !== null;
}

async function freezeToken(userId: string, at = now): Promise<string> {
  const news = { what: "new-device", sentence: "A new browser." } as const;
  await db.transaction((tx) => queueSecurityMail(tx, { userId, news, site: testSite, now: at }));
  const { rows } = await owner.query(
    "select body_text from mails where user_id = $1 and template = 'new-device' order by id desc limit 1",
    [userId],
  );
  return linkIn(rows[0].body_text, "/freeze").searchParams.get("token") ?? "";
}

async function countSessions(userId: string) {
  return (await owner.query("select from sessions where user_id = $1", [userId])).rowCount;
}

test("the link freezes at once, without signing in, and works once", async () => {
  const customer = await createTestCustomer(db);
  await enter(customer.email);
  const token = await freezeToken(customer.id);
  expect(await inspectFreezeLink(db, { token, now })).toBe("open");
  await freezeByLink(app, { token, ...from, now });
  expect(await countSessions(customer.id)).toBe(0);
  await expect(enter(customer.email)).rejects.toThrow("account-frozen");
  // Who does not know the password is not told.
  await expect(enter(customer.email, "not the password")).rejects.toThrow("sign-in-failed");
  await expect(freezeByLink(app, { token, ...from, now })).rejects.toThrow("link-used");
});

test("the link ends after seven days, and neither a newer one nor a new password ends it", async () => {
  const customer = await createTestCustomer(db);
  const token = await freezeToken(customer.id);
  const late = new Date(now.getTime() + 7 * dayMs);
  await expect(freezeByLink(app, { token, ...from, now: late })).rejects.toThrow("link-expired");
  await expect(freezeByLink(app, { token: "made-up", ...from, now })).rejects.toThrow(
    "link-unknown",
  );
  await freezeToken(customer.id);
  await changePassword(app, await actorOf(customer.email), {
    current: testPassword,
    password: "what a thief would set",
  });
  await freezeByLink(app, { token, ...from, now: new Date(late.getTime() - 1000) });
});

test("frozen, no way in can be changed: not by a reset, not by whoever writes to the tables", async () => {
  const customer = await createTestCustomer(db);
  await sendResetLink(db, { email: customer.email, site: testSite, now });
  const { rows } = await owner.query(
    "select body_text from mails where user_id = $1 and template = 'reset'",
    [customer.id],
  );
  const reset = linkIn(rows[0].body_text, "/resetpassword").searchParams.get("token") ?? "";
  await freezeByLink(app, { token: await freezeToken(customer.id), ...from, now });
  await expect(
    resetPassword(db, { token: reset, password: "another password", site: testSite, now }),
  ).rejects.toThrow("account-frozen");
  for (const sql of [
    "update credentials set password = password where user_id = $1",
    "update users set email = 'thief@example.com' where id = $1",
    "insert into totp_secrets (id, user_id, sealed_secret, created_at) values (gen_random_uuid(), $1, 'x', now())",
    `insert into passkeys (id, user_id, name, credential_id, public_key, sign_count, created_at)
      values (gen_random_uuid(), $1, 'x', 'x', 'x', 0, now())`,
    "insert into recovery_codes (id, user_id, code_sha256, created_at) values (gen_random_uuid(), $1, 'x', now())",
    `insert into sessions (id, user_id, token_sha256, expires_at, proved_by, proved_at, created_at)
      values (gen_random_uuid(), $1, 'x', now(), 'password', now(), now())`,
  ]) {
    const refused = owner.query(sql, [customer.id]);
    await expect(refused, sql).rejects.toMatchObject({
      constraint: "frozen_accounts_change_nothing",
    });
  }
  const leaving = owner.query("select require_money_may_leave($1, now())", [customer.id]);
  await expect(leaving).rejects.toMatchObject({ constraint: "frozen_accounts_pay_nothing" });
});

test("staff freeze and open again with reasons that the customer reads, and money stays a day more", async () => {
  const [customer, operator] = [await createTestCustomer(db), await createTestOperator(db)];
  const frozen = { customerId: customer.id, reason: "A strange sign-in", now };
  await freezeAsOperator(app, operator, frozen);
  await expect(freezeAsOperator(app, operator, frozen)).rejects.toThrow("already-frozen");
  const opened = { customerId: customer.id, reason: "You called us", now };
  await unfreezeAsOperator(app, operator, opened);
  await expect(unfreezeAsOperator(app, operator, opened)).rejects.toThrow("not-frozen");
  await freezeAsOperator(app, operator, frozen);
  const { freeze } = await getAccess(db, customer.id, now);
  const another = { ...opened, freezeId: randomUUID() };
  await expect(unfreezeAsOperator(app, operator, another)).rejects.toThrow("not-frozen");
  await unfreezeAsOperator(app, operator, { ...opened, freezeId: freeze?.id ?? "" });
  await enter(customer.email);
  const { entries } = await listAccountHistory(db, customer.id, { page: 1, show: 10 });
  expect(entries.map(({ what, by, detail }) => [what, by, detail["reason"]])).toEqual(
    expect.arrayContaining([
      ["identity/freeze-account", "staff", "A strange sign-in"],
      ["identity/unfreeze-account", "staff", "You called us"],
      ["signed-in", "self", undefined],
    ]),
  );
  const { rows } = await owner.query("select money_held_until($1, $2) as until", [
    customer.id,
    now,
  ]);
  expect(rows[0].until).toEqual(new Date(now.getTime() + dayMs));
});

test("no reason that the customer reads names an address", async () => {
  const operator = await createTestOperator(db);
  const { id: customerId } = await createTestCustomer(db);
  const about = { customerId, reason: `Pay to 0x${"aB1".repeat(13)}c`, now };
  const refused = "identity/reason-names-address";
  await expect(freezeAsOperator(app, operator, about)).rejects.toThrow(refused);
  const view = startView(app, operator, { ...about, sessionId: randomUUID() });
  await expect(view).rejects.toThrow(refused);
  await freezeAsOperator(app, operator, { ...about, reason: "Mailbox taken" });
  await expect(unfreezeAsOperator(app, operator, about)).rejects.toThrow(refused);
});

test("a reason that staff wrote for each other is not in the customer's history", async () => {
  const [customer, operator] = [await createTestCustomer(db), await createTestOperator(db)];
  const doubt = {
    act: "kyc/ask-second-review",
    subject: "verification:1",
    customerId: customer.id,
    detail: { reason: "The name is on a list" },
    now,
  } as const;
  await actAsOperator(db, operator, doubt, async () => {});
  const { entries } = await listAccountHistory(db, customer.id, { page: 1, show: 10 });
  const told = { what: doubt.act, by: "staff", detail: {} };
  expect(entries).toContainEqual(expect.objectContaining(told));
});

test("PostgreSQL wants an act for what staff freeze and for every lifting", async () => {
  const customer = await createTestCustomer(db);
  const byStaff = owner.query(
    `insert into account_freezes (id, user_id, by, reason, frozen_at)
     values (gen_random_uuid(), $1, 'staff', 'because', now())`,
    [customer.id],
  );
  await expect(byStaff).rejects.toMatchObject({ constraint: "staff_freeze_by_an_act" });
  await freezeByLink(app, { token: await freezeToken(customer.id), ...from, now });
  const lifted = owner.query("update account_freezes set lifted_at = now() where user_id = $1", [
    customer.id,
  ]);
  await expect(lifted).rejects.toMatchObject({ constraint: "freezes_are_lifted_by_an_act" });
});

test("after a changed password money stays for 24 hours, to the moment", async () => {
  const customer = await createTestCustomer(db);
  const actor = await actorOf(customer.email);
  const mayLeave = (at: Date) =>
    owner.query("select require_money_may_leave($1, $2)", [customer.id, at]);
  await mayLeave(now);
  await changePassword(app, actor, { current: testPassword, password: "another password" });
  const held = { constraint: "money_stays_for_a_day_after_a_change" };
  await expect(mayLeave(now)).rejects.toMatchObject(held);
  await expect(mayLeave(new Date(now.getTime() + dayMs - 1))).rejects.toMatchObject(held);
  await mayLeave(new Date(now.getTime() + dayMs));
  await expect(enter(customer.email)).rejects.toThrow("sign-in-failed");
  await enter(customer.email, "another password");
});

test("a password is changed only by who knows it, to one that is not easily guessed, and others are signed out, who holds a copy of this session too", async () => {
  const customer = await createTestCustomer(db);
  await enter(customer.email);
  const { cookies: copied } = await enter(customer.email);
  const actor = await actorOf(customer.email, copied);
  const change = (current: string, password: string) =>
    changePassword(app, actor, { current, password });
  await expect(change("not the password", "another password")).rejects.toThrow("wrong-password");
  await expect(change(testPassword, "Password123")).rejects.toThrow("password-too-common");
  expect(await countSessions(customer.id)).toBe(2);
  const { cookies } = await change(testPassword, "another password");
  expect(await countSessions(customer.id)).toBe(1);
  expect([await opens(copied), await opens(cookies)]).toEqual([false, true]);
});

test("PostgreSQL refuses a changed way in that does not hold the money", async () => {
  const customer = await createTestCustomer(db);
  const hash = "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA";
  for (const sql of [
    `update credentials set password = '${hash}' where user_id = $1`,
    "update users set email = 'other@example.com' where id = $1",
    `insert into passkeys (id, user_id, name, credential_id, public_key, sign_count, created_at)
      values (gen_random_uuid(), $1, 'x', 'x', 'x', 0, now())`,
  ]) {
    const refused = owner.query(sql, [customer.id]);
    await expect(refused, sql).rejects.toMatchObject({
      constraint: "a_changed_way_in_holds_money",
    });
  }
  // A hold of another transaction does not count.
  await db.transaction((tx) => holdMoney(tx, customer.id, "email-changed", now));
  const alone = db
    .update(credentials)
    .set({ password: hash })
    .where(eq(credentials.userId, customer.id));
  await expect(alone).rejects.toMatchObject({
    cause: { constraint: "a_changed_way_in_holds_money" },
  });
});

test("nobody rewrites the history or shortens a hold, not even the owner of the tables", async () => {
  const customer = await createTestCustomer(db);
  await recordAccountEvent(db, { userId: customer.id, event: "signed-in", by: "self", now });
  await db.transaction((tx) => holdMoney(tx, customer.id, "email-changed", now));
  for (const table of ["account_events", "money_holds"]) {
    for (const sql of [
      `delete from ${table}`,
      `update ${table} set id = id`,
      `truncate ${table}`,
    ]) {
      await expect(owner.query(sql), sql).rejects.toThrow("only grows");
      await expect(db.execute(sql), sql).rejects.toThrow();
    }
  }
  const other = await createTestCustomer(db);
  await expect(owner.query("delete from users where id = $1", [other.id])).rejects.toMatchObject({
    constraint: "users_are_kept",
  });
  const short = owner.query(
    `insert into money_holds (id, user_id, reason, starts_at, ends_at)
     values (gen_random_uuid(), $1, 'email-changed', now(), now() + interval '23 hours')`,
    [customer.id],
  );
  await expect(short).rejects.toMatchObject({ constraint: "money_is_held_for_a_day" });
});
