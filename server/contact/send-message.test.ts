import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { expect, test } from "vitest";
import { testMessage, testSecret } from "#tests/factories/message.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { TooManyAttempts } from "../platform/rate-limit.ts";
import { issueFormToken } from "./form-token.ts";
import { issueChallenge } from "./issue-challenge.ts";
import { limits } from "./limits.ts";
import { type NewMessage, sendMessage } from "./send-message.ts";

const { db, owner } = await testDatabase();
const context = { db, config: { authSecret: testSecret } };
const send = (message: NewMessage) => sendMessage(context, message);
const place = (() => {
  let n = 0;
  return () => `203.0.113.${++n}`;
})();

async function stored(reference: string) {
  const { rows } = await owner.query(
    `select t.*, m.body, m.proven, m.id as message_id from contact_threads t join contact_messages m on m.thread_id = t.id
      where t.reference = $1`,
    [reference],
  );
  return rows;
}

async function jobsOf(messageId: string) {
  const { rows } = await owner.query("select * from graphile_worker.jobs where key = $1", [
    `contact:${messageId}`,
  ]);
  return rows.length;
}

async function solved(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}

test("keeps a message in the queue and promises its mails", async () => {
  const now = new Date("2026-11-21T10:00:00Z");
  const { reference } = await send(testMessage({ email: "Ada@Example.com", now }));
  const [thread, ...more] = await stored(reference);
  expect(more).toEqual([]);
  expect(thread).toMatchObject({
    sender_name: "Ada Lovelace",
    sender_email: "ada@example.com",
    subject: "A question about fees",
    body: "What does a month cost?\n\nAda",
    state: "open",
    proven: "patience",
    waiting_since: now,
  });
  expect(await jobsOf(thread.message_id)).toBe(1);
});

test("the same form pressed twice, even at once, is one message", async () => {
  const message = testMessage({ clientAddress: place() });
  const answers = await Promise.all([send(message), send(message), send(message)]);
  const again = await send({ ...message, now: new Date(message.now.getTime() + 30_000) });
  expect(new Set([...answers, again].map(({ reference }) => reference)).size).toBe(1);
  expect(await stored(again.reference)).toHaveLength(1);
});

test("two visitors who were handed the same cached form are two messages", async () => {
  const formToken = issueFormToken(testSecret, new Date(Date.now() - 60_000));
  const one = await send(testMessage({ formToken }));
  const other = await send(testMessage({ formToken }));
  expect(one.reference).not.toBe(other.reference);
});

test("no header can be smuggled in, and no character that turns the reading direction", async () => {
  const { reference } = await send(
    testMessage({
      fullName: "Ada\r\nBcc: all@example.com",
      subject: "Hello\nContent-Type: text/html\u202E",
      message: "one\r\ntwo\0\u0007",
    }),
  );
  const [thread] = await stored(reference);
  expect(thread).toMatchObject({
    sender_name: "Ada Bcc: all@example.com",
    subject: "Hello Content-Type: text/html",
    body: "one\ntwo",
  });
});

test("what the hidden field caught lies among the spam, and nobody is mailed", async () => {
  const { reference } = await send(testMessage({ trap: "https://spam.example" }));
  const [thread] = await stored(reference);
  expect(thread).toMatchObject({ state: "spam", is_suspected: true });
  expect(await jobsOf(thread.message_id)).toBe(0);
});

test("a form that was never handed out, is too old or came back too fast is refused", async () => {
  const now = new Date();
  const ago = (ms: number) => issueFormToken(testSecret, new Date(now.getTime() - ms));
  const expired = { message: "contact/form-expired" };
  await expect(send(testMessage({ formToken: "", now }))).rejects.toMatchObject(expired);
  await expect(send(testMessage({ formToken: "1.a.b", now }))).rejects.toMatchObject(expired);
  await expect(send(testMessage({ formToken: ago(25 * 3_600_000), now }))).rejects.toMatchObject(
    expired,
  );
  const forged = ago(0).replace(/^\d+/, String(now.getTime() - 60_000));
  await expect(send(testMessage({ formToken: forged, now }))).rejects.toMatchObject(expired);
  await expect(send(testMessage({ formToken: ago(1_000), now }))).rejects.toThrow(
    "contact/too-fast",
  );
});

test("a solved challenge needs no patience, once", async () => {
  const now = new Date();
  const proof = await solved(await issueChallenge(testSecret, now));
  const hasty = { proof, formToken: issueFormToken(testSecret, now), now };
  const { reference } = await send(testMessage(hasty));
  expect(await stored(reference)).toMatchObject([{ proven: "work" }]);
  await expect(send(testMessage(hasty))).rejects.toThrow("contact/too-fast");
});

test("a solution that is forged, unsigned, expired or no solution at all proves nothing", async () => {
  const now = new Date();
  const hasty = (proof: string) =>
    testMessage({ proof, formToken: issueFormToken(testSecret, now) });
  const challenge = await issueChallenge(testSecret, now);
  const other = await issueChallenge("another secret that nobody here knows", now);
  const past = await issueChallenge(testSecret, new Date(now.getTime() - 3 * 3_600_000));
  const eased = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: "00" } };
  const unworked = { challenge, solution: { counter: 0, derivedKey: "00".repeat(32) } };
  const asText = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
  const proofs = [
    await solved(other),
    await solved(past),
    await solved(eased),
    asText(unworked),
    asText({ ...unworked, hmacAlgorithm: "none" }),
    asText({ challenge: { parameters: null }, solution: [] }),
    asText(null),
    "%%%",
    "A".repeat(10_000),
  ];
  for (const proof of proofs) {
    await expect(send({ ...hasty(proof), clientAddress: place(), now })).rejects.toThrow(
      "contact/too-fast",
    );
  }
});

test("one place may send a few without a solved challenge, and more with one", async () => {
  const clientAddress = place();
  const now = new Date();
  for (let n = 0; n < limits.withoutWorkByNetwork.max; n += 1) {
    await send(testMessage({ clientAddress, now }));
  }
  await expect(send(testMessage({ clientAddress, now }))).rejects.toBeInstanceOf(TooManyAttempts);
  const proof = await solved(await issueChallenge(testSecret, now));
  await send(testMessage({ clientAddress, proof, now }));
  const later = new Date(now.getTime() + 61 * 60_000);
  await send(testMessage({ clientAddress, now: later }));
});

test("one address may write only so often, from wherever", async () => {
  const email = "often@example.com";
  const write = () => send(testMessage({ email, clientAddress: place(), message: place() }));
  for (let n = 0; n < limits.messagesByEmail.max; n += 1) await write();
  await expect(write()).rejects.toBeInstanceOf(TooManyAttempts);
});
