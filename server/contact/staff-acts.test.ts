import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { retention } from "#core/retention.ts";
import { createTestCustomer, testSite } from "#tests/factories/customer.ts";
import { answerTestThread, createTestThread, testSecret } from "#tests/factories/message.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { someAddress } from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { answerBack } from "./answer-back.ts";
import { findThread } from "./find-thread.ts";
import { listWords } from "./list-messages.ts";
import { listThreads } from "./list-threads.ts";
import { type Destination, moveThread } from "./move-thread.ts";
import { notifyOfMessage } from "./notify-of-message.ts";
import { type Reply, replyToThread } from "./reply-to-thread.ts";
import { sweepThreads } from "./sweep-threads.ts";
import { threadIdIn } from "./thread-token.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db, { firstName: "Grace" });
const config = { authSecret: testSecret, ...testSite };

async function reply(threadId: string, wanted: Partial<Reply> = {}, now = new Date()) {
  const thread = await findThread(db, threadId);
  const typed = {
    threadId,
    submissionKey: randomUUID(),
    seen: thread?.revision ?? 0,
    text: "A month costs what the terms say.\n\nKind regards",
    replyTo: null,
    ...wanted,
  };
  await replyToThread({ db, config }, grace, typed, now);
  return typed;
}

async function move(threadId: string, to: Destination, now = new Date()) {
  const thread = await findThread(db, threadId);
  await moveThread(db, grace, { threadId, seen: thread?.revision ?? 0, to }, now);
}

async function actsOn(threadId: string) {
  const { rows } = await owner.query(
    "select act, detail from audit_log where subject = $1 order by position",
    [`message:${threadId}`],
  );
  return rows;
}

test("an answer is mailed, shown in the thread, and written down without its words", async () => {
  const thread = await createTestThread(db);
  await reply(thread.threadId, { replyTo: "office@assay.example" });
  expect(await findThread(db, thread.threadId)).toMatchObject({ state: "answered", revision: 1 });
  const words = await listWords(db, thread.threadId);
  expect(words).toMatchObject([
    { kind: "message" },
    { kind: "reply", operatorName: "Grace Hopper", mailState: "queued" },
  ]);
  const { rows } = await owner.query("select * from mails where recipient = $1", [thread.email]);
  expect(rows).toMatchObject([
    {
      subject: `Re: A question about fees (${thread.reference})`,
      reply_to: "office@assay.example",
      template: "contact-reply",
    },
  ]);
  expect(rows[0].body_text).toContain("A month costs what the terms say.");
  expect(rows[0].body_text).toContain("Grace, Assay");
  const [act] = await actsOn(thread.threadId);
  expect(act).toEqual({
    act: "contact/reply",
    detail: { reference: thread.reference, characters: 47, sha256: expect.any(String) },
  });
});

test("the same answer sent twice is one answer", async () => {
  const thread = await createTestThread(db);
  const typed = await reply(thread.threadId);
  await replyToThread({ db, config }, grace, typed, new Date());
  expect(await listWords(db, thread.threadId)).toHaveLength(2);
  expect(await actsOn(thread.threadId)).toHaveLength(1);
});

test("who answers what a colleague answered meanwhile is told, and nothing is sent", async () => {
  const thread = await createTestThread(db);
  const results = await Promise.allSettled([
    reply(thread.threadId, { seen: 0 }),
    reply(thread.threadId, { seen: 0 }),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(move(thread.threadId, "closed")).resolves.toBeUndefined();
  await expect(
    moveThread(db, grace, { threadId: thread.threadId, seen: 0, to: "spam" }, new Date()),
  ).rejects.toThrow("contact/thread-changed");
  expect(await listWords(db, thread.threadId)).toHaveLength(2);
});

test.each([
  ["of bitcoin", `Pay to ${someAddress()}.`],
  ["of bitcoin, in capitals", `Pay:${someAddress().toUpperCase()}`],
  ["of bitcoin, as it was", `It is 3${"Qz9".repeat(10)}x, as always`],
  ["of Ethereum", `(0x${"aB1".repeat(13)}c)`],
  ["of Ethereum, without its beginning", `_${"aB1".repeat(13)}c_`],
  ["of Tron", `USDT: T${"Qz9".repeat(11)}`],
  ["with signs that nobody sees", someAddress().replace(/.{5}/g, "$&\u200b")],
  ["glued to other letters", `адрес${someAddress()}_`],
])("no answer names an address %s, whoever writes it", async (_, text) => {
  const { threadId } = await createTestThread(db);
  await expect(reply(threadId, { text })).rejects.toThrow("contact/names-address");
  expect(await listWords(db, threadId)).toHaveLength(1);
  expect(await actsOn(threadId)).toEqual([]);
});

test.each([
  `Transaction ${"0b1c".repeat(16)} arrived`,
  `Transaction 0x${"0b1c".repeat(16)} arrived`,
  "See https://assay.example/receipts/AbCdEfGhIjKlMnOpQrStUv",
  `The reference is ${randomUUID()}`,
  `${"m".repeat(30)}, a long word`,
])("an answer may say: %s", async (text) => {
  const { threadId } = await createTestThread(db);
  await reply(threadId, { text });
});

test("an empty answer and an unknown thread are refused", async () => {
  const { threadId } = await createTestThread(db);
  await expect(reply(threadId, { text: " \n\0 " })).rejects.toThrow("contact/reply-missing");
  await expect(reply(randomUUID())).rejects.toThrow("contact/no-such-thread");
  await expect(reply("nonsense")).rejects.toThrow("contact/no-such-thread");
});

test("the link in an answer leads back into its thread, which waits again", async () => {
  const { threadId } = await createTestThread(db);
  await reply(threadId);
  const { rows } = await owner.query(
    "select m.body_text from mails m join contact_mails c on c.mail_id = m.id where c.thread_id = $1",
    [threadId],
  );
  const token = new URL(/https?:\S+\/contact\/answer\S+/.exec(rows[0].body_text)?.[0] ?? "");
  expect(threadIdIn({ authSecret: testSecret }, token.searchParams.get("token"))).toBe(threadId);
  const later = new Date(Date.now() + 60_000);
  await answerTestThread(db, threadId, "And two months?", later);
  expect(await findThread(db, threadId)).toMatchObject({
    state: "open",
    waitingSince: later,
    revision: 2,
  });
  expect((await listWords(db, threadId)).map(({ kind }) => kind)).toEqual([
    "message",
    "reply",
    "message",
  ]);
});

test("a link of another kind, a forged one, or one to a deleted thread opens nothing", async () => {
  const { threadId } = await createTestThread(db);
  for (const token of [
    null,
    "",
    threadId,
    `${threadId}.AAAA`,
    `${randomUUID()}.${"A".repeat(43)}`,
  ]) {
    const answer = { threadToken: token, formToken: "1", message: "x", notify: null };
    await expect(
      answerBack({ db, config }, { ...answer, clientAddress: "192.0.2.9", now: new Date() }),
    ).rejects.toThrow("contact/thread-gone");
  }
});

test("staff close, mark as spam and reopen, each an act; spam that answers back stays spam", async () => {
  const { threadId } = await createTestThread(db, { trap: "caught" });
  await move(threadId, "open");
  expect(await findThread(db, threadId)).toMatchObject({ state: "open", isSuspected: false });
  await move(threadId, "closed");
  await move(threadId, "closed");
  await move(threadId, "spam");
  await answerTestThread(db, threadId, "Buy now");
  expect(await findThread(db, threadId)).toMatchObject({ state: "spam" });
  expect((await actsOn(threadId)).map(({ act }) => act)).toEqual([
    "contact/reopen",
    "contact/close",
    "contact/mark-as-spam",
  ]);
});

test("what was answered is no spam, which is deleted early; the answer's hash is in the audit log", async () => {
  const { threadId } = await createTestThread(db);
  await reply(threadId, { text: "Send coins to our new address" });
  await expect(move(threadId, "spam")).rejects.toThrow("contact/is-no-spam");
  await expect(
    owner.query("update contact_threads set state = 'spam' where id = $1", [threadId]),
  ).rejects.toMatchObject({ constraint: "what_was_answered_is_no_spam" });
  const sha256 = createHash("sha256").update("Send coins to our new address").digest("hex");
  expect((await actsOn(threadId))[0]?.detail).toMatchObject({ sha256 });
});

test("PostgreSQL lets no thread be answered or closed without an act", async () => {
  const { threadId } = await createTestThread(db);
  await expect(
    owner.query("update contact_threads set state = 'closed' where id = $1", [threadId]),
  ).rejects.toThrow("threads_are_answered_closed_or_marked_by_an_act");
  await expect(
    db.$client.query("update contact_messages set body = 'other' where thread_id = $1", [threadId]),
  ).rejects.toThrow("permission denied");
});

test("the queue stands oldest first, page by page, and is found by name, address and subject", async () => {
  const start = Date.now() - 90 * 86_400_000;
  const threads = [];
  for (let n = 0; n < 3; n += 1) {
    const now = new Date(start + n * 3_600_000);
    threads.push(await createTestThread(db, { now, fullName: "Queue Er", subject: `No. ${n}%` }));
  }
  const seen: string[] = [];
  for (let after: string | undefined; ; after = seen.at(-1)) {
    const [next] = await listThreads(db, { state: "open", search: "queue er", after, limit: 1 });
    if (!next) break;
    seen.push(next.threadId);
  }
  expect(seen).toEqual(threads.map(({ threadId }) => threadId));
  const found = await listThreads(db, { state: "open", search: "1%", limit: 5 });
  expect(found.map(({ subject }) => subject)).toEqual(["No. 1%"]);
});

test("counts what was written and answered in each thread", async () => {
  const { threadId } = await createTestThread(db, { subject: "Counted" });
  await reply(threadId);
  await answerTestThread(db, threadId, "Thank you");
  const [thread] = await listThreads(db, { state: "open", search: "counted", limit: 5 });
  expect(thread).toMatchObject({ threadId, messages: 2, replies: 1 });
});

test("shows whose address it is, apart from who was signed in", async () => {
  const ada = await createTestCustomer(db, { firstName: "Ada", lastName: "Byron" });
  const claimed = await createTestThread(db, { email: ada.email });
  expect(await findThread(db, claimed.threadId)).toMatchObject({
    writer: null,
    addressOf: { customerId: ada.id, name: "Ada Byron", emailVerified: false },
  });
  const proven = await createTestThread(db, { customerId: ada.id });
  expect(await findThread(db, proven.threadId)).toMatchObject({
    writer: { customerId: ada.id, name: "Ada Byron" },
    addressOf: null,
  });
  const operators = await createTestThread(db, { email: grace.email });
  expect(await findThread(db, operators.threadId)).toMatchObject({ addressOf: null });
});

test("what may be kept no longer is deleted, with its mails; what waits stays", async () => {
  const old = new Date("2020-01-01T00:00:00Z");
  const kinds = ["open", "answered", "closed", "spam"] as const;
  const ids: Record<string, string> = {};
  for (const kind of kinds) {
    const { threadId } = await createTestThread(db, { now: old, subject: kind });
    const { rows } = await owner.query("select id from contact_messages where thread_id = $1", [
      threadId,
    ]);
    await notifyOfMessage(db, { messageId: rows[0].id, notify: null, site: testSite, now: old });
    if (kind === "answered") await reply(threadId, {}, old);
    if (kind === "closed" || kind === "spam") await move(threadId, kind, old);
    ids[kind] = threadId;
  }
  const mails = async () =>
    (await owner.query("select count(*)::int as n from mails where template like 'contact-%'"))
      .rows[0].n;
  const at = (days: number) => new Date(old.getTime() + (days + 1) * 86_400_000);
  const left = async () => {
    const { rows } = await owner.query(
      "select subject from contact_threads where created_at = $1",
      [old],
    );
    return rows.map(({ subject }) => subject).sort();
  };
  await sweepThreads(db, at(retention.contactSpamDays));
  expect(await left()).toEqual(["answered", "closed", "open"]);
  const before = await mails();
  await sweepThreads(db, at(retention.contactThreadDays));
  expect(await left()).toEqual(["open"]);
  expect(await mails()).toBeLessThan(before);
  const { rowCount } = await owner.query("select from contact_mails where thread_id = $1", [
    ids["answered"],
  ]);
  expect(rowCount).toBe(0);
});
