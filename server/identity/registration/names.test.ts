import { randomUUIDv7 } from "node:crypto";
import { expect, test } from "vitest";
import { nameProblem } from "#core/people/person-name.ts";
import {
  createTestCustomer,
  nameAsBefore,
  testPassword,
  testSite,
} from "#tests/factories/customer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { Busy } from "../../platform/busy.ts";
import { readConfig } from "../../platform/config/read-config.ts";
import { mailsToUnverified } from "../../platform/mail/queue-mail.ts";
import { countAttempt, wholeSite } from "../../platform/rate-limit.ts";
import { queueSecurityMail } from "../account/queue-security-mail.ts";
import { requestEmailChange } from "../email-change/request-email-change.ts";
import { noteMfaChange } from "../mfa/note-mfa-change.ts";
import { requestReset } from "../passwords/request-reset.ts";
import { sendResetLink } from "../passwords/send-reset-link.ts";
import { createAuth } from "../sessions/auth.ts";
import { changePhrase } from "../settings/change-phrase.ts";
import { markOf } from "../settings/settings.ts";
import { limits } from "../sign-in/limits.ts";
import { signUp } from "./sign-up.ts";

const { db, owner } = await testDatabase();

const sample = [
  ...["Ada", "Anne-Marie", "O'Neil", "O’Neil", "St. John", "J.R.R.", "Jean\u00a0Luc", "محمد"],
  ...["می\u200cنا", "李", "Ðợ", "Zoe\u0308", "श्री\u200dमती", "박지성", "Łukasz"],
  ...["You won 2 BTC! Claim now at bonus.example/win", "bonus.example", "https://evil", "a@b"],
  ...[
    "Ada\nYour",
    "Ada\u2028L",
    "Ada\u202emoc",
    "Ada\u200b",
    "A\u200cda",
    "Ada\u2060",
    "Ada\ufeff",
  ],
  ...["Ada\u00ad", "\u3164", "Ada\ufe0f", "\u{e0041}Ada", "Ada 🎁", "Ada $", "Ada ₿", "<b>Ada</b>"],
  ...["Ada：evil", "evil．example", "evil。example", "Call 0800", "x".repeat(101)],
];

test.each(sample)("PostgreSQL and the form agree about %j", async (name) => {
  const { rows } = await owner.query("select is_a_name($1) as is", [name]);
  expect(rows[0].is).toBe(nameProblem(name) === null);
});

test("PostgreSQL refuses a name that is none, also as the application's role", async () => {
  const { id } = await createTestCustomer(db);
  const change = "update users set first_name = 'bonus.example' where id = $1";
  await expect(owner.query(change, [id])).rejects.toMatchObject({ constraint: "names_are_names" });
  const added = owner.query(
    `insert into users (id, kind, email, first_name, last_name, created_at, updated_at)
     values ($1, 'customer', $2, 'Win at', 'http://evil', now(), now())`,
    [randomUUIDv7(), `${randomUUIDv7()}@example.com`],
  );
  await expect(added).rejects.toMatchObject({ constraint: "names_are_names" });
});

test("a name from before stays, and its account goes on changing", async () => {
  const { id } = await createTestCustomer(db);
  await nameAsBefore(owner, id, { firstName: "100%", lastName: "Sure_Thing" });
  await owner.query("update users set email_verified = true, updated_at = now() where id = $1", [
    id,
  ]);
  await owner.query("update users set first_name = first_name where id = $1", [id]);
  const { rows } = await owner.query("select name from users where id = $1", [id]);
  expect(rows[0].name).toBe("100% Sure_Thing");
});

test("no mail greets by name before the address was shown to be the customer's", async () => {
  const { id, email } = await createTestCustomer(db, { firstName: "Congratulations" });
  const greeted = async () => {
    const { rows } = await owner.query(
      "select body_text, body_html from mails where user_id = $1 order by id desc limit 1",
      [id],
    );
    return `${rows[0].body_text}${rows[0].body_html}`.includes("Congratulations");
  };
  expect(await greeted()).toBe(false);
  await sendResetLink(db, { email, site: testSite, now: new Date() });
  expect(await greeted()).toBe(false);
  await owner.query("update users set email_verified = true where id = $1", [id]);
  await sendResetLink(db, { email, site: testSite, now: new Date() });
  expect(await greeted()).toBe(true);
});

test("nor does one carry a phrase, a passkey's name or another address to it", async () => {
  const { id, email } = await createTestCustomer(db);
  const now = new Date();
  const browser = { ipAddress: "192.0.2.1", userAgent: "test" };
  const lure = "bonus.example";
  const seen = markOf({ phrase: null });
  await changePhrase(db, { userId: id, phrase: `Win at ${lure}`, seen, browser, now });
  const change = { event: "passkey-added", sentence: "A passkey was added." } as const;
  const note = () =>
    db.transaction((tx) =>
      noteMfaChange(
        tx,
        testSite,
        { userId: id, clientAddress: "192.0.2.1", userAgent: "test", now },
        { ...change, detail: { name: `Win at ${lure}` } },
      ),
    );
  await note();
  const newEmail = `claim-now@${lure}`;
  const asked = { userId: id, newEmail, password: testPassword, browser, site: testSite, now };
  await requestEmailChange(db, asked);
  const told = async () => {
    const mails = "select body_text || body_html as body from mails where recipient = $1";
    const { rows } = await owner.query(mails, [email]);
    return rows.map(({ body }) => body).join("\n");
  };
  expect(await told()).not.toContain(lure);
  await owner.query("update users set email_verified = true where id = $1", [id]);
  await note();
  expect(await told()).toContain(`Its name: Win at ${lure}`);
  expect(await told()).toContain(`Your phrase: Win at ${lure}`);
});

test("an address that was not verified gets so many mails a day, whatever is done in the account", async () => {
  const { id, email } = await createTestCustomer(db);
  const now = new Date();
  const news = { what: "new-device", sentence: "Somebody signed in." } as const;
  const tell = (at: Date) =>
    db.transaction((tx) => queueSecurityMail(tx, { userId: id, news, site: testSite, now: at }));
  const count = async () =>
    (await owner.query("select from mails where recipient = $1", [email])).rowCount ?? 0;
  const before = await count();
  for (let n = 0; n < mailsToUnverified.max + 5; n += 1) await tell(now);
  expect((await count()) - before).toBe(mailsToUnverified.max);
  await owner.query("update users set email_verified = true where id = $1", [id]);
  await tell(now);
  expect((await count()) - before).toBe(mailsToUnverified.max + 1);
});

test("reset mails and registrations end at a rate of the whole site, unless their senders work for it", async () => {
  await owner.query("delete from attempts");
  const now = new Date();
  for (let n = 0; n < limits.resetByNothing.max; n += 1)
    await countAttempt(db, limits.resetByNothing, wholeSite, now);
  for (let n = 0; n < limits.signUpByNothing.max; n += 1)
    await countAttempt(db, limits.signUpByNothing, wholeSite, now);
  const ask = (effort: "none" | "work") =>
    requestReset(db, { email: "any@example.com", clientAddress: "192.0.2.1", effort, now });
  await expect(ask("none")).rejects.toBeInstanceOf(Busy);
  await ask("work");
  const config = readConfig({ AUTH_SECRET: "x".repeat(32), APP_URL: testSite.appUrl });
  const entrance = { auth: createAuth(config), config, ipCountry: { find: () => null } };
  const person = { firstName: "Ada", lastName: "Lovelace", email: "new@example.com" };
  const from = { clientAddress: "192.0.2.1", userAgent: "test", password: testPassword, now };
  await expect(signUp({ db, ...entrance }, { ...person, ...from })).rejects.toBeInstanceOf(Busy);
  const { cookies } = await signUp({ db, ...entrance }, { ...person, ...from, effort: "work" });
  expect(cookies.join()).toContain("session_token=");
});
