import { expect, test } from "vitest";
import { testSite } from "#tests/factories/customer.ts";
import { answerTestThread, createTestThread } from "#tests/factories/message.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { limits } from "./limits.ts";
import { notifyOfMessage } from "./notify-of-message.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);
const alan = await createTestOperator(db, { role: "support" });
// They answer no messages, so what was written is not for their mailboxes.
for (const role of ["verifier", "treasurer", "approver", "content", "auditor"] as const) {
  await createTestOperator(db, { role });
}
const sue = await createTestOperator(db);
await changeTestOperator(owner, sue.id, { state: "suspended" });

/** Does what the worker does with the newest message of a thread, twice. */
async function told(threadId: string, notify: string | null = null, now = new Date()) {
  const { rows } = await owner.query(
    "select id from contact_messages where thread_id = $1 order by id desc limit 1",
    [threadId],
  );
  const job = { messageId: rows[0].id, notify, site: testSite, now };
  await notifyOfMessage(db, job);
  await notifyOfMessage(db, job);
  const mails = await owner.query(
    "select m.* from mails m join contact_mails c on c.mail_id = m.id where c.thread_id = $1 order by m.id",
    [threadId],
  );
  return mails.rows;
}

test("acknowledges once, without a word of what was typed", async () => {
  const thread = await createTestThread(db, {
    fullName: "Buy cheap pills",
    subject: "Visit shop.example now",
    message: "Click https://phish.example",
  });
  const [mail] = (await told(thread.threadId)).filter(
    ({ recipient }) => recipient === thread.email,
  );
  expect(mail.subject).toBe(`We received your message (${thread.reference})`);
  for (const text of [mail.subject, mail.body_text, mail.body_html]) {
    expect(text).not.toMatch(/pills|shop\.example|phish/);
  }
});

test("tells everyone on the staff who answers, and nobody else, with the words and the way to answer them", async () => {
  const thread = await createTestThread(db, { message: "<b>first</b>\nline\n\nsecond" });
  const mails = (await told(thread.threadId)).filter((mail) => mail.template === "contact-message");
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual([grace.email, alan.email].sort());
  expect(mails[0].body_text).toContain("<b>first</b>\nline\n\nsecond");
  expect(mails[0].body_html).toContain("&lt;b&gt;first&lt;/b&gt;<br>line");
  expect(mails[0].body_text).toContain(`${testSite.appUrl}/operator/messages/${thread.threadId}`);
});

test("tells the company's own address alone where there is one", async () => {
  const thread = await createTestThread(db);
  const mails = await told(thread.threadId, "office@assay.example");
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual(
    ["office@assay.example", thread.email].sort(),
  );
});

test("no address hears of it more than once a day, whoever types it", async () => {
  const email = "victim@example.com";
  const now = new Date();
  const acknowledged = async (at: Date) => {
    const { threadId } = await createTestThread(db, { email, now: at });
    return (await told(threadId, null, at)).filter(({ recipient }) => recipient === email).length;
  };
  expect(await acknowledged(now)).toBe(1);
  expect(await acknowledged(now)).toBe(0);
  expect(await acknowledged(new Date(now.getTime() + 25 * 3_600_000))).toBe(1);
});

test("spam is told to nobody, and an answer back to operators only", async () => {
  const spam = await createTestThread(db, { trap: "x" });
  expect(await told(spam.threadId)).toEqual([]);
  const thread = await createTestThread(db);
  await told(thread.threadId);
  await answerTestThread(db, thread.threadId, "Thank you, one more thing");
  const mails = await told(thread.threadId);
  const toSender = mails.filter(({ recipient }) => recipient === thread.email);
  expect(toSender).toHaveLength(1);
  expect(mails.at(-1).body_text).toContain("one more thing");
});

test("a flood fills the queue, not the operators' mailboxes", async () => {
  const now = new Date(Date.now() + 10 * 3_600_000);
  const { threadId } = await createTestThread(db, { now });
  await owner.query("update attempts set count = 1000000, window_ends_at = $1", [
    new Date(now.getTime() + 60_000),
  ]);
  expect(limits.operatorMails.max).toBeLessThan(1_000_000);
  expect(await told(threadId, null, now)).toEqual([]);
});
