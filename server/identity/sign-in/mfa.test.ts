import { expect, test } from "vitest";
import { securityTerms } from "#core/people/security-terms.ts";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { TooManyAttempts } from "../../platform/rate-limit.ts";
import type { Actor } from "../audit/actor.ts";
import { addTotp, removeTotp, renewRecoveryCodes } from "../mfa/change-mfa.ts";
import { resealSecrets } from "../mfa/reseal-secrets.ts";
import { currentKeyName } from "../mfa/seal-secret.ts";
import { setUpMfa } from "../mfa/set-up-mfa.ts";
import { beginTotp } from "../mfa/set-up-totp.ts";
import { totpCode, totpStep } from "../mfa/totp.ts";
import { resetPassword } from "../passwords/reset-password.ts";
import { createAuth } from "../sessions/auth.ts";
import { findSignedInUser } from "../sessions/signed-in-user.ts";
import { confirmAgain } from "../step-up/confirm-again.ts";
import { limits } from "./limits.ts";
import { passMfa } from "./pass-mfa.ts";
import { findPendingMfaSession } from "./pending-mfa-session.ts";
import { signIn } from "./sign-in.ts";

const { db, owner } = await testDatabase();
const config = readConfig({ AUTH_SECRET: "x".repeat(32), APP_URL: testSite.appUrl });
const app = { db, config, auth: createAuth(config), ipCountry: { find: () => null } };
const from = { clientAddress: "192.0.2.1", userAgent: "test" };
const minuteMs = 60_000;

async function passwordOf(email: string, now: Date) {
  const credentials = { email, password: testPassword, rememberMe: false };
  const { cookies, step } = await signIn(app, { ...credentials, ...from, cookieHeader: "", now });
  return { step, cookieHeader: headerOf(cookies) };
}

function headerOf(cookies: string[]): string {
  return cookies.map((cookie) => cookie.split(";")[0]).join("; ");
}

function whoHas(cookieHeader: string) {
  return findSignedInUser(app, new Request(config.appUrl, { headers: { cookie: cookieHeader } }));
}

async function actorOf(email: string, now: Date, given?: string): Promise<Actor> {
  const cookieHeader = given ?? (await passwordOf(email, now)).cookieHeader;
  const user = await whoHas(cookieHeader);
  if (!user) throw new Error("not signed in");
  return { userId: user.id, sessionId: user.session.id, ...from, now };
}

function begunBy({ userId, sessionId: begunIn, now }: Actor) {
  return { userId, begunIn, now };
}

/** A customer with an authenticator app, and the codes of its steps. */
async function customerWithApp(now: Date) {
  const customer = await createTestCustomer(db);
  const actor = await actorOf(customer.email, now);
  const secret = await beginTotp(db, app.auth, begunBy(actor));
  const code = (drift: number, at = now) => totpCode(secret, totpStep(at) + drift);
  await addTotp(app, actor, code(-1));
  return { customer, actor, secret, code };
}

test("a pending MFA session reads nothing; with the code it becomes one, once", async () => {
  const now = new Date();
  const { customer, code } = await customerWithApp(now);
  const { step, cookieHeader } = await passwordOf(customer.email, now);
  expect(step).toBe("second-factor");
  expect(cookieHeader).not.toContain("session_token");
  expect(await whoHas(cookieHeader)).toBeNull();
  const asSession = cookieHeader.replace("half_session", "session_token");
  expect(await whoHas(asSession)).toBeNull();
  const visitor = { ...from, cookieHeader, now };
  const { cookies } = await passMfa(app, visitor, { code: code(0) });
  expect((await whoHas(headerOf(cookies)))?.session.provedBy).toBe("totp");
  const written = await owner.query(
    "select detail from account_events where user_id = $1 and event = 'signed-in' order by position",
    [customer.id],
  );
  expect(written.rows.at(-1)).toEqual({ detail: { by: "totp" } });
  await expect(passMfa(app, visitor, { code: code(1) })).rejects.toThrow("sign-in-again");
});

test("a code works once, also of several sign-ins at the same moment", async () => {
  const now = new Date();
  const { customer, code } = await customerWithApp(now);
  const halves = await Promise.all([1, 2, 3].map(() => passwordOf(customer.email, now)));
  const outcomes = await Promise.allSettled(
    halves.map(({ cookieHeader }) =>
      passMfa(app, { ...from, cookieHeader, now }, { code: code(0) }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const last = halves[outcomes.findIndex(({ status }) => status === "rejected")];
  const visitor = { ...from, cookieHeader: last?.cookieHeader ?? "", now };
  // An older code than the one that was taken is no better.
  await expect(passMfa(app, visitor, { code: code(-1) })).rejects.toThrow("wrong-code");
  await passMfa(app, visitor, { code: code(1) });
});

test("a pending MFA session has five attempts and ten minutes", async () => {
  const now = new Date();
  const { customer, code } = await customerWithApp(now);
  const { cookieHeader } = await passwordOf(customer.email, now);
  const visitor = { ...from, cookieHeader, now };
  for (let n = 0; n < securityTerms.pendingMfaAttempts; n += 1) {
    await expect(passMfa(app, visitor, { code: "000000" })).rejects.toThrow("wrong-code");
  }
  await expect(passMfa(app, visitor, { code: code(0) })).rejects.toThrow("sign-in-again");
  const second = { ...from, cookieHeader: (await passwordOf(customer.email, now)).cookieHeader };
  const late = new Date(now.getTime() + securityTerms.pendingMfaMinutes * minuteMs);
  await expect(passMfa(app, { ...second, now: late }, { code: code(0, late) })).rejects.toThrow(
    "sign-in-again",
  );
  await passMfa(
    app,
    { ...second, now: new Date(late.getTime() - 1000) },
    {
      code: code(0, new Date(late.getTime() - 1000)),
    },
  );
});

test("whoever knows the password cannot guess on with ever new halves", async () => {
  const now = new Date();
  const { customer } = await customerWithApp(now);
  const codes: string[] = [];
  for (let half = 0; half < 5; half += 1) {
    const { cookieHeader } = await passwordOf(customer.email, now);
    for (let n = 0; n < securityTerms.pendingMfaAttempts; n += 1) {
      const tried = passMfa(app, { ...from, cookieHeader, now }, { code: "000000" });
      await tried.catch((error) => codes.push(error.code));
    }
  }
  expect(codes.filter((code) => code === "identity/wrong-code")).toHaveLength(20);
  expect(codes.slice(20).every((code) => code === "platform/too-many-attempts")).toBe(true);
});

test("a recovery code gets in once, however it is typed; new ones end the old", async () => {
  const now = new Date();
  const { customer, actor } = await customerWithApp(now);
  const codes = await renewRecoveryCodes(app, actor);
  expect(codes).toHaveLength(10);
  const typed = (codes[0] ?? "").toLowerCase().replaceAll("-", " ").replaceAll("0", "o");
  const pass = async (code: string) => {
    const { cookieHeader } = await passwordOf(customer.email, now);
    return passMfa(app, { ...from, cookieHeader, now }, { code });
  };
  await pass(typed);
  await expect(pass(codes[0] ?? "")).rejects.toThrow("wrong-code");
  await renewRecoveryCodes(app, actor);
  await expect(pass(codes[1] ?? "")).rejects.toThrow("wrong-code");
  const { rows } = await owner.query("select code_sha256 from recovery_codes");
  for (const row of rows) expect(codes.join()).not.toContain(row.code_sha256.toString());
});

test("factors are changed so often an hour, and what is refused then changes nothing and mails nothing", async () => {
  const now = new Date();
  const { customer, actor } = await customerWithApp(now);
  const most = limits.factorChangesAnHour.max;
  // The app itself was the first change.
  let codes: string[] = [];
  for (let n = 1; n < most; n += 1) codes = await renewRecoveryCodes(app, actor);
  const mails = async () =>
    (await owner.query("select from mails where user_id = $1", [customer.id])).rowCount;
  const before = await mails();
  await expect(renewRecoveryCodes(app, actor)).rejects.toBeInstanceOf(TooManyAttempts);
  await expect(removeTotp(app, actor)).rejects.toBeInstanceOf(TooManyAttempts);
  expect(await mails()).toBe(before);
  const { cookieHeader } = await passwordOf(customer.email, now);
  await passMfa(app, { ...from, cookieHeader, now }, { code: codes[0] ?? "" });
  const later = new Date(now.getTime() + 61 * 60_000);
  await renewRecoveryCodes(app, { ...actor, now: later });
});

test("the first factor ends sessions that rest on the password alone, and removing it ends its codes", async () => {
  const now = new Date();
  const customer = await createTestCustomer(db);
  const { cookieHeader: other } = await passwordOf(customer.email, now);
  const { cookieHeader: copied } = await passwordOf(customer.email, now);
  const actor = await actorOf(customer.email, now, copied);
  const secret = await beginTotp(db, app.auth, begunBy(actor));
  const { cookies } = await addTotp(app, actor, totpCode(secret, totpStep(now)));
  expect(await whoHas(other)).toBeNull();
  // Who holds a copy of this session's cookie has not shown the factor.
  expect(await whoHas(copied)).toBeNull();
  expect((await whoHas(headerOf(cookies)))?.session.provedBy).toBe("totp");
  await renewRecoveryCodes(app, actor);
  await removeTotp(app, actor);
  // From then on the open session, too, asks for the password, not for codes that are gone.
  expect((await whoHas(headerOf(cookies)))?.session.provedBy).toBe("password");
  const left = { ...actor, sessionId: (await whoHas(headerOf(cookies)))?.session.id ?? "" };
  await confirmAgain(app, left, { password: testPassword });
  const { rowCount } = await owner.query("select from recovery_codes where user_id = $1", [
    customer.id,
  ]);
  expect(rowCount).toBe(0);
  expect((await passwordOf(customer.email, now)).step).toBe("signed-in");
});

test("a new app takes the old one's place only when it has shown a right code", async () => {
  const now = new Date();
  const { customer, actor, secret } = await customerWithApp(now);
  const next = await beginTotp(db, app.auth, begunBy(actor));
  expect(next).not.toEqual(secret);
  expect(await beginTotp(db, app.auth, begunBy(actor))).toEqual(next);
  await expect(addTotp(app, actor, totpCode(secret, totpStep(now)))).rejects.toThrow("wrong-code");
  await addTotp(app, actor, totpCode(next, totpStep(now)));
  const { rowCount } = await owner.query("select from totp_secrets where user_id = $1", [
    customer.id,
  ]);
  expect(rowCount).toBe(1);
});

test("what another sign-in, or a thief of this one, saw of an app being set up never comes into use", async () => {
  const now = new Date();
  const customer = await createTestCustomer(db);
  const thief = await actorOf(customer.email, now);
  const seen = await beginTotp(db, app.auth, begunBy(thief));
  const actor = await actorOf(customer.email, now);
  const secret = await beginTotp(db, app.auth, begunBy(actor));
  expect(secret).not.toEqual(seen);
  const code = (of: Buffer) => totpCode(of, totpStep(now));
  await expect(addTotp(app, actor, code(seen))).rejects.toThrow("wrong-code");
  await expect(addTotp(app, thief, code(secret))).rejects.toThrow("set-up-again");
  // Whoever has shown again who he is has another token, and begins anew.
  await confirmAgain(app, actor, { password: testPassword });
  await expect(addTotp(app, actor, code(secret))).rejects.toThrow("set-up-again");
  const own = await beginTotp(db, app.auth, begunBy(actor));
  expect(own).not.toEqual(secret);
  await addTotp(app, actor, code(own));
  const unowned = owner.query(
    "insert into totp_secrets (id, user_id, sealed_secret, created_at) values (gen_random_uuid(), $1, 'x', now())",
    [customer.id],
  );
  await expect(unowned).rejects.toMatchObject({ constraint: "an_app_is_set_up_in_one_sign_in" });
});

test("staff set up a factor before there is a session, and keep one for ever", async () => {
  const now = new Date();
  const operator = await createTestOperator(db);
  const token = new URL(operator.invitationUrl).searchParams.get("token") ?? "";
  await resetPassword(db, { token, password: testPassword, site: testSite, now });
  const { step, cookieHeader } = await passwordOf(operator.email, now);
  expect(step).toBe("set-up-second-factor");
  expect(await whoHas(cookieHeader)).toBeNull();
  const visitor = { ...from, cookieHeader, now };
  await expect(passMfa(app, visitor, { code: "000000" })).rejects.toThrow("wrong-code");
  const half = await findPendingMfaSession(app, cookieHeader, now);
  const begin = { userId: operator.id, begunIn: half?.id ?? "", now };
  const secret = await beginTotp(db, app.auth, begin);
  const { cookies } = await setUpMfa(app, visitor, totpCode(secret, totpStep(now)));
  const user = await whoHas(headerOf(cookies));
  const actor = { userId: operator.id, sessionId: user?.session.id ?? "", ...from, now };
  await expect(removeTotp(app, actor)).rejects.toThrow("last-factor-of-staff");
});

test("shown again, the factor makes a session fresh; a password does not where there is a factor", async () => {
  const now = new Date();
  const { actor, code } = await customerWithApp(now);
  await owner.query("update sessions set proved_at = proved_at - interval '1 day' where id = $1", [
    actor.sessionId,
  ]);
  await expect(confirmAgain(app, actor, { password: testPassword })).rejects.toThrow(
    "wrong-password",
  );
  const read = async () => {
    const { rows } = await owner.query(
      "select proved_at, token_sha256, expires_at from sessions where id = $1",
      [actor.sessionId],
    );
    return rows[0];
  };
  const before = await read();
  const { cookies } = await confirmAgain(app, actor, { code: code(1) });
  const after = await read();
  expect(after.proved_at).toEqual(now);
  expect(after.expires_at).toEqual(before.expires_at);
  expect(after.token_sha256).not.toEqual(before.token_sha256);
  expect(cookies[0]).toContain("session_token=");
});

test("PostgreSQL refuses a session by password alone where a second factor is needed", async () => {
  const { customer } = await customerWithApp(new Date());
  const operator = await createTestOperator(db);
  for (const id of [customer.id, operator.id]) {
    const session = owner.query(
      `insert into sessions (id, user_id, token_sha256, expires_at, proved_by, proved_at, created_at)
       values (gen_random_uuid(), $1, 'x', now(), 'password', now(), now())`,
      [id],
    );
    await expect(session).rejects.toMatchObject({
      constraint: "mfa_is_asked_of_users_who_have_it_and_of_staff",
    });
  }
});

test("a sign-in by password that meets the first factor being added waits for it, and gets no session", async () => {
  const customer = await createTestCustomer(db);
  const adding = await owner.connect();
  await adding.query("begin");
  // As `addPasskey` does.
  await adding.query("select from users where id = $1 for no key update", [customer.id]);
  const entering = passwordOf(customer.email, new Date());
  const refused = expect(entering).rejects.toThrow("identity/sign-in-failed");
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await owner.query(waiting)).rowCount).toBe(1);
  await adding.query(
    `with hold as (
       insert into money_holds (id, user_id, reason, starts_at, ends_at)
         values (gen_random_uuid(), $1, 'mfa-changed', now(), now() + interval '1 day'))
     insert into passkeys (id, user_id, name, credential_id, public_key, sign_count, created_at)
       values (gen_random_uuid(), $1, 'Key', 'first', 'key', 0, now())`,
    [customer.id],
  );
  await adding.query("commit");
  adding.release();
  await refused;
});

test("PostgreSQL refuses a code of an older step, a used recovery code, a copied passkey, a sixth attempt", async () => {
  const now = new Date();
  const { customer, actor } = await customerWithApp(now);
  await renewRecoveryCodes(app, actor);
  await passwordOf(customer.email, now);
  const id = [customer.id];
  const client = await owner.connect();
  await client.query("begin");
  await client.query(
    `insert into passkeys (id, user_id, name, credential_id, public_key, sign_count, created_at)
     values (gen_random_uuid(), $1, 'Key', 'id', 'key', 5, now())`,
    id,
  );
  await client.query("update recovery_codes set used_at = now() where user_id = $1", id);
  for (const [sql, constraint] of [
    ["update totp_secrets set last_step = last_step", "a_code_works_once"],
    ["update recovery_codes set used_at = null", "a_code_works_once"],
    ["update passkeys set sign_count = 5", "passkey_counters_never_go_back"],
    ["update pending_mfa_sessions set attempts = 6", "pending_mfa_sessions_allow_five_attempts"],
    [
      "update pending_mfa_sessions set expires_at = created_at + interval '11 minutes'",
      "pending_mfa_sessions_end_after_ten_minutes",
    ],
  ]) {
    await client.query("savepoint before");
    await expect(client.query(`${sql} where user_id = $1`, id)).rejects.toMatchObject({
      constraint,
    });
    await client.query("rollback to before");
  }
  await client.query("rollback");
  client.release();
});

test("AUTH_SECRET is exchanged while apps go on: a shown code reseals its secret, the command does the rest", async () => {
  const now = new Date();
  const [ada, bob] = [await customerWithApp(now), await customerWithApp(now)];
  const eve = await customerWithApp(now);
  // From before keys had names; and frozen: an app must work once the account is opened again.
  await owner.query("update totp_secrets set key_name = null where user_id = $1", [
    bob.customer.id,
  ]);
  await owner.query(
    "insert into account_freezes (id, user_id, by, reason, frozen_at) values (gen_random_uuid(), $1, 'self', 'test', now())",
    [eve.customer.id],
  );
  const auth = { ...app.auth, secret: "n".repeat(32), secretBefore: app.auth.secret };
  const pass = async (person: typeof ada, drift: number, by: typeof auth | typeof app.auth) => {
    const { cookieHeader } = await passwordOf(person.customer.email, now);
    const visitor = { ...from, cookieHeader, now };
    return passMfa({ ...app, auth: by }, visitor, { code: person.code(drift) });
  };
  await pass(ada, 0, auth);
  const alone = { ...auth, secretBefore: null };
  await pass(ada, 1, alone);
  await expect(pass(bob, 0, alone)).rejects.toThrow();
  const first = await resealSecrets(db, auth);
  expect(first.resealed).toBeGreaterThanOrEqual(2);
  expect(await resealSecrets(db, auth)).toEqual({ resealed: 0, unreadable: [] });
  await pass(bob, 1, alone);
  const { rows } = await owner.query("select distinct key_name from totp_secrets");
  expect(rows).toEqual([{ key_name: currentKeyName(auth) }]);
  expect((await resealSecrets(db, { ...alone, secret: "z".repeat(32) })).unreadable).toContain(
    eve.customer.id,
  );
});
