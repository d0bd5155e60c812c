import { expect, test } from "vitest";
import { versionInForce } from "#core/legal/legal-versions.ts";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { linkIn } from "#tests/fakes/smtp-inbox.ts";
import { atProductCost } from "#tests/setup/password-cost.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { findCustomer } from "../account/find-customer.ts";
import { askVerificationAgain } from "./ask-verification-again.ts";
import { registerCustomer } from "./register-customer.ts";
import { verifyEmail } from "./verify-email.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

async function newestMail(recipient: string) {
  const { rows } = await owner.query(
    "select template, body_text, user_id from mails where recipient = $1 order by id desc limit 1",
    [recipient],
  );
  return rows[0];
}

async function verificationToken(email: string): Promise<string> {
  const { body_text } = await newestMail(email);
  return linkIn(body_text, "/verify-email").searchParams.get("token") ?? "";
}

function again(userId: string, at: Date) {
  const request = { userId, clientAddress: "192.0.2.1", now: at };
  return askVerificationAgain({ db, config: testSite }, request);
}

test("registers, keeps only an Argon2id hash, and mails the verification link", async () => {
  const person = { firstName: "Ada", lastName: "Lovelace", email: "Ada@Example.com" };
  const registration = { ...person, password: testPassword, site: testSite, now };
  let customerId = "";
  await atProductCost(async () => {
    ({ customerId } = await registerCustomer(db, registration));
  });
  expect(await findCustomer(db, customerId)).toMatchObject({
    email: "ada@example.com",
    emailVerified: false,
    createdAt: now,
  });
  const { rows } = await owner.query("select password from credentials where user_id = $1", [
    customerId,
  ]);
  expect(rows[0].password).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  const mail = await newestMail("ada@example.com");
  expect(mail).toMatchObject({ template: "verification", user_id: customerId });
});

test("keeps which terms and privacy policy were accepted, by version and hash", async () => {
  const { id } = await createTestCustomer(db, { now });
  const accepted = await owner.query(
    "select text, version, encode(sha256, 'hex') as sha256, accepted_at from accepted_texts where customer_id = $1 order by text",
    [id],
  );
  expect(accepted.rows).toEqual(
    (["privacy", "terms"] as const).map((text) => {
      const { version, sha256 } = versionInForce(text, "2026-03-01");
      return { text, version, sha256, accepted_at: now };
    }),
  );
});

test("keeps no token: a reader of the database finds no working link", async () => {
  await createTestCustomer(db, { email: "token@example.com" });
  const token = await verificationToken("token@example.com");
  await owner.query("update mails set body_text = '', body_html = '', state = 'queued'");
  for (const table of ["users", "mailed_links", "mails", "credentials", "attempts"]) {
    const { rows } = await owner.query(`select t::text as row from ${table} t`);
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  }
});

test("refuses a taken address in any spelling, changes nothing, and mails its owner", async () => {
  const customer = await createTestCustomer(db, { email: "taken@example.com", firstName: "Ada" });
  const again = createTestCustomer(db, { email: "TAKEN@example.com", firstName: "Eve" });
  await expect(again).rejects.toMatchObject({ code: "identity/email-taken" });
  const mail = await newestMail("taken@example.com");
  expect(mail).toMatchObject({ template: "already-registered", user_id: customer.id });
  // Its owner has not verified it: the name may be a stranger's words.
  expect(mail.body_text).toContain("Hello,\n");
  const { rows } = await owner.query(
    "select first_name from users where email = 'taken@example.com'",
  );
  expect(rows).toEqual([{ first_name: "Ada" }]);
});

test("registers one of two who ask for the same address at the same time", async () => {
  const same = { email: "race@example.com", firstName: "R", lastName: "R" };
  const asked = Array.from({ length: 4 }, () =>
    registerCustomer(db, { ...same, password: testPassword, site: testSite, now }),
  );
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("never makes one person both customer and operator", async () => {
  const operator = await createTestOperator(db);
  await expect(createTestCustomer(db, { email: operator.email })).rejects.toMatchObject({
    code: "identity/email-taken",
  });
  await expect(
    owner.query(
      "insert into customers (id, accepted_terms_at, created_at) values ($1, now(), now())",
      [operator.id],
    ),
  ).rejects.toThrow("customers_are_users_of_that_kind");
});

test("verifies the address once; the used link says so", async () => {
  const customer = await createTestCustomer(db, { email: "once@example.com", now });
  const token = await verificationToken("once@example.com");
  const uses = Array.from({ length: 5 }, () => verifyEmail(db, { token, now: later(1) }));
  const outcomes = await Promise.allSettled(uses);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { rows } = await owner.query("select email_verified from users where id = $1", [
    customer.id,
  ]);
  expect(rows[0].email_verified).toBe(true);
  await expect(verifyEmail(db, { token, now: later(2) })).rejects.toMatchObject({
    code: "identity/link-used",
  });
});

test("does not verify by an expired link, a replaced one, an unknown one or one for another purpose", async () => {
  const customer = await createTestCustomer(db, { email: "dead@example.com", now });
  const first = await verificationToken("dead@example.com");
  await expect(verifyEmail(db, { token: first, now: later(24) })).rejects.toMatchObject({
    code: "identity/link-expired",
  });
  await again(customer.id, later(1));
  await expect(verifyEmail(db, { token: first, now: later(2) })).rejects.toMatchObject({
    code: "identity/link-replaced",
  });
  await expect(verifyEmail(db, { token: "nonsense", now })).rejects.toMatchObject({
    code: "identity/link-unknown",
  });
  const operator = await createTestOperator(db, { now });
  const invitation = new URL(operator.invitationUrl).searchParams.get("token") ?? "";
  await expect(verifyEmail(db, { token: invitation, now })).rejects.toMatchObject({
    code: "identity/link-unknown",
  });
  await verifyEmail(db, { token: await verificationToken("dead@example.com"), now: later(2) });
  expect(await again(customer.id, now)).toEqual({
    sent: false,
  });
});
