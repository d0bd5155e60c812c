import { expect, test } from "vitest";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findCustomer } from "../account/find-customer.ts";
import { freezeAsOperator } from "../account/freeze-account.ts";
import { unfreezeAsOperator } from "../account/unfreeze-account.ts";
import { notePasswordChange } from "../passwords/note-password-change.ts";
import { changePhrase } from "../settings/change-phrase.ts";
import { markOf } from "../settings/settings.ts";
import { confirmEmailChange, findOpenEmailChange } from "./confirm-email-change.ts";
import { cancelEmailChange, requestEmailChange } from "./request-email-change.ts";

const { db, owner } = await testDatabase();
const browser = { ipAddress: "192.0.2.1", userAgent: "test" };
const now = new Date("2026-11-21T10:00:00Z");
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

let count = 0;
async function asked(wanted: { newEmail?: string; password?: string } = {}) {
  count += 1;
  const ada = await createTestCustomer(db, { now });
  const newEmail = wanted.newEmail ?? `new-${process.pid}-${count}@example.com`;
  const password = wanted.password ?? testPassword;
  const request = { userId: ada.id, newEmail, password, browser, site: testSite, now };
  await requestEmailChange(db, request);
  return { ada, newEmail, old: await token(ada.email), fresh: await token(newEmail) };
}

async function mailsTo(address: string) {
  const { rows } = await owner.query(
    "select template, body_text, body_html from mails where recipient = $1 order by id desc",
    [address],
  );
  return rows;
}

/** The token in the newest mail to an address. */
async function token(address: string): Promise<string> {
  const [mail] = await mailsTo(address);
  return /change-email\?token=([\w-]+)/.exec(mail?.body_text)?.[1] ?? "";
}

const follow = (link: string, at = now) =>
  confirmEmailChange(db, { token: link, browser, site: testSite, now: at });

test("changes once both mailboxes agree, in whichever order, and tells both", async () => {
  for (const first of ["old", "fresh"] as const) {
    const change = await asked();
    const { ada, newEmail } = change;
    expect(await follow(change[first])).toBe(first === "old" ? "waits-for-new" : "waits-for-old");
    expect((await findCustomer(db, ada.id))?.email).toBe(ada.email);
    await expect(follow(change[first])).rejects.toThrow("identity/link-used");
    expect(await follow(change[first === "old" ? "fresh" : "old"])).toBe("changed");
    expect(await findCustomer(db, ada.id)).toMatchObject({ email: newEmail, emailVerified: true });
    expect((await mailsTo(ada.email))[0].template).toBe("email-changed");
    expect((await mailsTo(newEmail))[0].template).toBe("email-changed");
    const holds = await owner.query("select reason from money_holds where user_id = $1", [ada.id]);
    expect(holds.rows).toEqual([{ reason: "email-changed" }]);
  }
});

test("while the account is frozen neither link is used up, and the address stays", async () => {
  const { ada, old, fresh } = await asked();
  expect(await follow(old)).toBe("waits-for-new");
  await owner.query(
    `insert into account_freezes (id, user_id, by, reason, frozen_at)
     values (gen_random_uuid(), $1, 'self', 'x', now())`,
    [ada.id],
  );
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(follow(fresh)).rejects.toThrow("identity/account-frozen");
  }
  expect((await findCustomer(db, ada.id))?.email).toBe(ada.email);
});

test("what shuts others out ends a change that somebody else may have asked for and half confirmed", async () => {
  const shutOut: Record<string, (userId: string) => Promise<unknown>> = {
    "a new password": (userId) => {
      const actor = { userId, clientAddress: "192.0.2.1", userAgent: "test", now };
      return db.transaction((tx) => notePasswordChange(tx, testSite, actor));
    },
    "a freeze": async (userId) => {
      const operator = await createTestOperator(db);
      const act = { customerId: userId, reason: "He called.", now };
      await freezeAsOperator({ db, config: testSite }, operator, act);
      await unfreezeAsOperator({ db, config: testSite }, operator, act);
    },
  };
  for (const [what, does] of Object.entries(shutOut)) {
    const { ada, old, fresh } = await asked();
    expect(await follow(old)).toBe("waits-for-new");
    await does(ada.id);
    await expect(follow(fresh), what).rejects.toThrow("identity/link-replaced");
    expect((await findCustomer(db, ada.id))?.email, what).toBe(ada.email);
  }
});

test("links last 24 hours, and end with a newer change or when it is taken back", async () => {
  const one = await asked();
  await expect(follow(one.old, later(24))).rejects.toThrow("identity/link-expired");
  await requestEmailChange(db, {
    userId: one.ada.id,
    newEmail: "another-one@example.com",
    password: testPassword,
    browser,
    site: testSite,
    now,
  });
  await expect(follow(one.old)).rejects.toThrow("identity/link-replaced");
  await cancelEmailChange(db, one.ada.id, now);
  expect(await findOpenEmailChange(db, one.ada.id, now)).toBeNull();
  await expect(follow(await token("another-one@example.com"))).rejects.toThrow("link-replaced");
  await expect(follow("nothing")).rejects.toThrow("identity/link-unknown");
});

test("a taken address looks like any other to who asks; its owner gets a mail", async () => {
  const bob = await createTestCustomer(db, { email: "bob.has.it@example.com" });
  const { ada, old, fresh } = await asked({ newEmail: bob.email.toUpperCase() });
  expect(fresh).toBe("");
  expect((await mailsTo(bob.email))[0].template).toBe("email-change-taken");
  expect(await findOpenEmailChange(db, ada.id, now)).toMatchObject({ newEmail: bob.email });
  expect(await follow(old)).toBe("waits-for-new");
  expect((await findCustomer(db, ada.id))?.email).toBe(ada.email);
});

test("an address that is registered meanwhile is not taken away from its owner", async () => {
  const { ada, newEmail, old, fresh } = await asked();
  await follow(old);
  await createTestCustomer(db, { email: newEmail });
  await expect(follow(fresh)).rejects.toThrow("identity/email-not-available");
  expect((await findCustomer(db, ada.id))?.email).toBe(ada.email);
  await expect(follow(fresh)).rejects.toThrow("identity/link-used");
});

test("asks for the password, and for another address than the present one", async () => {
  await expect(asked({ password: "not my password" })).rejects.toThrow("identity/wrong-password");
  const ada = await createTestCustomer(db);
  const same = { userId: ada.id, newEmail: ada.email, password: testPassword };
  await expect(requestEmailChange(db, { ...same, browser, site: testSite, now })).rejects.toThrow(
    "identity/email-is-the-same",
  );
});

test("two clicks on both links at once change the address once", async () => {
  const { ada, newEmail, old, fresh } = await asked();
  const clicks = [old, fresh, old, fresh].map((link) => follow(link).catch(() => null));
  const outcomes = await Promise.all(clicks);
  expect(outcomes.filter((outcome) => outcome === "changed")).toHaveLength(1);
  expect((await findCustomer(db, ada.id))?.email).toBe(newEmail);
});

test("not even the owner of the tables changes an address past its mailboxes", async () => {
  const ada = await createTestCustomer(db);
  // One transaction, with the hold that every changed way in needs.
  const change = `
    insert into money_holds (id, user_id, reason, starts_at, ends_at)
      values (gen_random_uuid(), '${ada.id}', 'email-changed', now(), now() + interval '1 day');
    update users set email = 'taken-over@example.com' where id = '${ada.id}'`;
  await expect(owner.query(change)).rejects.toThrow("both addresses must agree");
  // An earlier change between the same addresses does not speak for another one.
  const { old, fresh, newEmail, ada: bob } = await asked();
  await follow(old);
  await follow(fresh);
  const back = change.replaceAll(ada.id, bob.id).replace("taken-over@example.com", bob.email);
  await expect(owner.query(back)).rejects.toThrow("both addresses must agree");
  expect((await findCustomer(db, bob.id))?.email).toBe(newEmail);
});

test("a phrase is in every mail to its owner, the last one to an old address included, escaped, and goes nowhere else", async () => {
  const ada = await createTestCustomer(db, { now });
  await owner.query("update users set email_verified = true where id = $1", [ada.id]);
  const phrase = "blue <heron> & co";
  const seen = markOf({ phrase: null });
  await changePhrase(db, { userId: ada.id, phrase, seen, browser, now });
  const newEmail = "phrase-follows@example.com";
  const request = {
    userId: ada.id,
    newEmail,
    password: testPassword,
    browser,
    site: testSite,
    now,
  };
  await requestEmailChange(db, request);
  const [toOld] = await mailsTo(ada.email);
  expect(toOld.body_text).toContain(`Your phrase: ${phrase}`);
  expect(toOld.body_html).toContain("blue &lt;heron&gt; &amp; co");
  expect(toOld.body_html).not.toContain("<heron>");
  // The new mailbox may be a stranger's until it has agreed.
  expect((await mailsTo(newEmail))[0].body_text).not.toContain("Your phrase");
  await follow(await token(ada.email));
  await follow(await token(newEmail));
  expect((await mailsTo(newEmail))[0].body_text).toContain(phrase);
  // Who did not ask for the change must know that the link to freeze the account is ours.
  const [lastToOld] = await mailsTo(ada.email);
  expect(lastToOld.body_text).toContain("/freeze?token=");
  expect(lastToOld.body_text).toContain(`Your phrase: ${phrase}`);
  // Whoever registers with the old address later is somebody else.
  await createTestCustomer(db, { now, email: ada.email });
  expect((await mailsTo(ada.email))[0].body_text).not.toContain(phrase);
});

test("a phrase is one short line, whoever writes it", async () => {
  const ada = await createTestCustomer(db);
  const insert =
    "insert into mail_phrases (user_id, recipient, phrase, changed_at) values ($1, $2, $3, now())";
  for (const phrase of ["", " a", "a\nb", "a\u2028b", "a\u202Eb", "x".repeat(61)]) {
    const written = owner.query(insert, [ada.id, ada.email, phrase]);
    await expect(written, JSON.stringify(phrase)).rejects.toThrow("phrases_are_one_short_line");
  }
});
