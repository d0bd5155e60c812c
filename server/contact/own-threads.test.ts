import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { retention } from "#core/retention.ts";
import { createTestCustomer, testSite } from "#tests/factories/customer.ts";
import { uniquePicture } from "#tests/factories/deposit.ts";
import { createTestThread, testSecret, writeTestMessage } from "#tests/factories/message.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { receiptPdf } from "#tests/factories/slip-files.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { eraseThreadsOf } from "./erase-threads-of.ts";
import { findOwnThread } from "./find-own-thread.ts";
import { findThread } from "./find-thread.ts";
import { countThreadsWithNews, listOwnThreads } from "./list-own-threads.ts";
import { markThreadRead } from "./mark-thread-read.ts";
import { moveThread } from "./move-thread.ts";
import { notifyOfMessage } from "./notify-of-message.ts";
import { readOwnFile, viewMessageFile } from "./read-file.ts";
import { replyToThread } from "./reply-to-thread.ts";
import { sweepFiles } from "./sweep-files.ts";
import { sweepThreads } from "./sweep-threads.ts";

const { db, owner } = await testDatabase();
const files = testFiles();
const product = { db, files };
const grace = await createTestOperator(db, { firstName: "Grace" });
const config = { authSecret: testSecret, ...testSite };
const now = new Date("2026-11-21T12:00:00Z");
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);

async function reply(threadId: string, text = "It arrived an hour ago.", at = now) {
  const seen = (await findThread(db, threadId))?.revision ?? 0;
  const answer = { threadId, submissionKey: randomUUID(), seen, text, replyTo: null };
  await replyToThread({ db, config }, grace, answer, at);
}

function storedFiles(): number {
  return readdirSync(files.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;
}

const picture = async (name = "receipt.png") => ({ name, bytes: await uniquePicture() });

test("a customer's message waits for staff, with its files cleaned, and is theirs alone", async () => {
  const [ada, bob] = [await createTestCustomer(db), await createTestCustomer(db)];
  const pdf = { name: "bank.pdf", bytes: receiptPdf({ catalog: "/Lang(en)" }) };
  const { threadId, fileIds } = await writeTestMessage(product, ada, {
    files: [await picture("../me\u202e.png"), pdf],
    now,
  });
  expect(await findThread(db, threadId)).toMatchObject({
    state: "open",
    writer: { customerId: ada.id },
  });
  const own = await findOwnThread(db, ada.id, threadId);
  expect(own?.words).toMatchObject([
    { kind: "message", files: [{ name: "me.jpg" }, { name: "bank.pdf" }] },
  ]);
  const [fileId = ""] = fileIds;
  const wanted = { threadId, fileId };
  expect(await readOwnFile(product, { ...wanted, customerId: ada.id })).toMatchObject({
    mediaType: "image/jpeg",
  });
  expect(await readOwnFile(product, { ...wanted, customerId: bob.id })).toBeNull();
  expect(await findOwnThread(db, bob.id, threadId)).toBeNull();
  expect(await listOwnThreads(db, bob.id, { limit: 10 })).toEqual([]);
  await expect(writeTestMessage(product, bob, { into: { threadId }, now })).rejects.toThrow(
    "contact/no-such-thread",
  );
});

test("staff see a file only after the audit log says so", async () => {
  const ada = await createTestCustomer(db);
  const { threadId, fileIds } = await writeTestMessage(product, ada, { files: [await picture()] });
  const wanted = { threadId, fileId: fileIds[0] ?? "" };
  expect(await viewMessageFile(product, grace, wanted, now)).not.toBeNull();
  const { rows } = await owner.query(
    "select act, customer_id, detail from audit_log where subject = $1",
    [`message:${threadId}`],
  );
  expect(rows).toEqual([
    { act: "contact/view-file", customer_id: ada.id, detail: { file: wanted.fileId } },
  ]);
  const another = { ...wanted, threadId: randomUUID() };
  expect(await viewMessageFile(product, grace, another, now)).toBeNull();
});

test("the same form is one message, however often and however quickly it comes", async () => {
  const ada = await createTestCustomer(db);
  const sent = { submissionKey: randomUUID(), now };
  const twice = await Promise.all([
    writeTestMessage(product, ada, sent),
    writeTestMessage(product, ada, sent),
  ]);
  expect(twice[0]?.threadId).toBe(twice[1]?.threadId);
  await writeTestMessage(product, ada, sent);
  expect(await listOwnThreads(db, ada.id, { limit: 10 })).toHaveLength(1);
});

test("the same words with one file more are another message", async () => {
  const ada = await createTestCustomer(db);
  const [first, second] = [await picture("first.png"), await picture("second.png")];
  const sent = { submissionKey: randomUUID(), files: [first], now };
  const { threadId } = await writeTestMessage(product, ada, sent);
  expect(await writeTestMessage(product, ada, sent)).toMatchObject({ threadId });
  const more = await writeTestMessage(product, ada, { ...sent, files: [first, second] });
  expect(more.threadId).not.toBe(threadId);
});

test("an answer is news until it is opened, and a mail tells of it without its words", async () => {
  const ada = await createTestCustomer(db);
  const { threadId } = await writeTestMessage(product, ada, { now });
  await reply(threadId);
  expect(await countThreadsWithNews(db, ada.id)).toBe(1);
  const { rows } = await owner.query(
    "select recipient, body_text from mails where template = 'contact-answered' and user_id = $1",
    [ada.id],
  );
  expect(rows).toMatchObject([{ recipient: ada.email }]);
  expect(rows[0].body_text).toContain(`/account/messages/${threadId}`);
  expect(rows[0].body_text).not.toContain("an hour ago");
  const seen = await findOwnThread(db, ada.id, threadId);
  expect(seen).toMatchObject({
    state: "answered",
    hasNews: true,
    words: [{ kind: "message" }, { kind: "reply", operatorName: "Grace" }],
  });
  const revision = seen?.revision ?? 0;
  // A second answer came while the customer read the first: it stays new.
  await writeTestMessage(product, ada, { into: { threadId }, message: "Thank you", now });
  await reply(threadId, "You are welcome.");
  await markThreadRead(db, { customerId: ada.id, threadId, revision });
  expect(await countThreadsWithNews(db, ada.id)).toBe(1);
  await markThreadRead(db, { customerId: ada.id, threadId, revision: revision + 2 });
  expect(await countThreadsWithNews(db, ada.id)).toBe(0);
});

test("an answer goes to where the last message came from, and a customer sees it in the account either way", async () => {
  const ada = await createTestCustomer(db);
  const { threadId, email } = await createTestThread(db, { customerId: ada.id, now });
  await reply(threadId);
  await writeTestMessage(product, ada, { into: { threadId }, message: "I see", now: later(1) });
  await reply(threadId, "Good.", later(2));
  const { rows } = await owner.query(
    "select recipient, template from mails join contact_mails m on m.mail_id = mails.id where m.thread_id = $1 order by mails.created_at, mails.template desc",
    [threadId],
  );
  expect(rows).toEqual([
    { recipient: email, template: "contact-reply" },
    { recipient: ada.email, template: "contact-answered" },
  ]);
  expect(await countThreadsWithNews(db, ada.id)).toBe(1);
});

test("operators hear of a customer's message, and the customer gets no second word of it by mail", async () => {
  const ada = await createTestCustomer(db);
  const { threadId } = await writeTestMessage(product, ada, { files: [await picture()] });
  const { rows: messages } = await owner.query(
    "select id from contact_messages where thread_id = $1",
    [threadId],
  );
  const job = { messageId: messages[0].id, notify: "office@example.com", site: testSite, now };
  await notifyOfMessage(db, job);
  const { rows } = await owner.query(
    "select recipient, body_text from mails join contact_mails m on m.mail_id = mails.id where m.thread_id = $1",
    [threadId],
  );
  expect(rows).toMatchObject([{ recipient: "office@example.com" }]);
  expect(rows[0].body_text).toContain("A customer wrote to us");
  expect(rows[0].body_text).toContain("Files: 1");
});

test("what a visitor wrote is no customer's, though the address is", async () => {
  const ada = await createTestCustomer(db);
  const { threadId } = await createTestThread(db, { email: ada.email });
  expect(await listOwnThreads(db, ada.id, { limit: 10 })).toEqual([]);
  await reply(threadId);
  expect(await countThreadsWithNews(db, ada.id)).toBe(0);
});

test("what a customer writes is never spam, which is deleted after a month: not by staff, nor by the trap, nor past the code", async () => {
  const ada = await createTestCustomer(db);
  const { threadId } = await writeTestMessage(product, ada, { now });
  const spam = moveThread(db, grace, { threadId, seen: 0, to: "spam" }, now);
  await expect(spam).rejects.toThrow("contact/is-no-spam");
  await expect(
    owner.query("update contact_threads set state = 'spam', is_suspected = true where id = $1", [
      threadId,
    ]),
  ).rejects.toMatchObject({ constraint: "customers_write_no_spam" });
  const caught = await createTestThread(db, { customerId: ada.id, trap: "filled by a browser" });
  expect(await findThread(db, caught.threadId)).toMatchObject({ state: "open" });
});

test.each([
  [
    "a fourth file",
    async () => [await picture(), await picture(), await picture(), await picture()],
    "files/too-many",
  ],
  [
    "a program",
    async () => [{ name: "run.exe", bytes: Buffer.from("MZ and more") }],
    "files/unknown-type",
  ],
])("refuses %s, and keeps nothing of the message", async (_, bring, code) => {
  const ada = await createTestCustomer(db);
  const before = storedFiles();
  const sent = writeTestMessage(product, ada, { files: await bring(), now });
  await expect(sent).rejects.toMatchObject({ code });
  expect(await listOwnThreads(db, ada.id, { limit: 10 })).toEqual([]);
  expect(storedFiles()).toBe(before);
});

test("a customer who writes without end is stopped", async () => {
  const ada = await createTestCustomer(db);
  const tries = Array.from({ length: 11 }, () =>
    writeTestMessage(product, ada, { now }).catch(({ code }) => code),
  );
  const ended = await Promise.all(tries);
  expect(ended.filter((each) => each === "platform/too-many-attempts")).toHaveLength(1);
});

test("nobody makes one thread longer than can be read", async () => {
  const ada = await createTestCustomer(db);
  const { threadId } = await writeTestMessage(product, ada, { now });
  const write = (nth: number) =>
    writeTestMessage(product, ada, { into: { threadId }, now: later(nth / 24) });
  for (let nth = 1; nth <= 20; nth += 1) await write(nth);
  await expect(write(21)).rejects.toMatchObject({ code: "platform/too-many-attempts" });
  expect((await write(26)).threadId).toBe(threadId);
});

test("a file is found in its own thread alone, whoever asks", async () => {
  const [ada, bob] = [await createTestCustomer(db), await createTestCustomer(db)];
  const hers = await writeTestMessage(product, ada, { files: [await picture()] });
  const his = await writeTestMessage(product, bob, { files: [await picture()] });
  const [fileId = ""] = hers.fileIds;
  for (const wanted of [
    { threadId: his.threadId, fileId, customerId: bob.id },
    { threadId: his.threadId, fileId, customerId: ada.id },
    { threadId: hers.threadId, fileId, customerId: bob.id },
    { threadId: hers.threadId, fileId: "none", customerId: ada.id },
  ]) {
    expect(await readOwnFile(product, wanted)).toBeNull();
  }
  const elsewhere = { threadId: his.threadId, fileId };
  expect(await viewMessageFile(product, grace, elsewhere, now)).toBeNull();
});

test("of a customer who is erased no word and no file is left, and staff who knew the address see none", async () => {
  const ada = await createTestCustomer(db);
  const before = storedFiles();
  const { threadId, fileIds } = await writeTestMessage(product, ada, {
    files: [await picture("passport of ada.png")],
    now,
  });
  await reply(threadId);
  await db.transaction((tx) => eraseThreadsOf(tx, ada.id));
  const wanted = { threadId, fileId: fileIds[0] ?? "" };
  expect(await viewMessageFile(product, grace, wanted, now)).toBeNull();
  const { rows } = await owner.query(
    "select original_name, message_id from contact_files where id = any ($1)",
    [fileIds],
  );
  expect(rows).toEqual([{ original_name: "", message_id: null }]);
  await sweepFiles(product, later(2));
  expect(storedFiles()).toBe(before);
  const left = await owner.query("select 1 from mails where user_id = $1 and template = $2", [
    ada.id,
    "contact-answered",
  ]);
  expect(left.rows).toEqual([]);
});

test("files go with their thread, and those that were never sent after a day", async () => {
  const ada = await createTestCustomer(db);
  const { threadId, fileIds } = await writeTestMessage(product, ada, {
    files: [await picture(), await picture()],
    now,
  });
  const left = async () => {
    const { rows } = await owner.query("select message_id from contact_files where id = any ($1)", [
      fileIds,
    ]);
    return rows.length;
  };
  await reply(threadId);
  await sweepFiles(product, later(2));
  expect(await left()).toBe(2);
  const before = storedFiles();
  const end = later(retention.contactThreadDays + 1);
  await sweepThreads(db, end);
  await sweepFiles(product, end);
  expect(await left()).toBe(0);
  expect(storedFiles()).toBe(before - 2);
});

test("a page of threads ends where the next one begins", async () => {
  const ada = await createTestCustomer(db);
  for (let nth = 0; nth < 3; nth += 1) {
    await writeTestMessage(product, ada, {
      into: { subject: `No. ${nth}`, about: null },
      now: later(nth),
    });
  }
  const first = await listOwnThreads(db, ada.id, { limit: 2 });
  expect(first.map(({ subject }) => subject)).toEqual(["No. 2", "No. 1"]);
  const rest = await listOwnThreads(db, ada.id, { after: first[1]?.threadId, limit: 2 });
  expect(rest.map(({ subject }) => subject)).toEqual(["No. 0"]);
});
