import { randomUUID } from "node:crypto";
import { answerBack } from "#server/contact/answer-back.ts";
import { issueFormToken } from "#server/contact/form-token.ts";
import { type NewMessage, sendMessage } from "#server/contact/send-message.ts";
import { threadToken } from "#server/contact/thread-token.ts";
import { type CustomerMessage, writeAsCustomer } from "#server/contact/write-as-customer.ts";
import type { Db } from "#server/platform/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { VirusScan } from "#server/platform/files/virus-scan.ts";

export const testSecret = "a secret of the tests, long enough to be one";
const config = { authSecret: testSecret };

let count = 0;

/** A form as a patient visitor without JavaScript sends it. */
export function testMessage(wanted: Partial<NewMessage> = {}): NewMessage {
  count += 1;
  const now = wanted.now ?? new Date();
  return {
    fullName: "Ada Lovelace",
    email: `writer-${process.pid}-${count}@example.com`,
    subject: "A question about fees",
    message: "What does a month cost?\n\nAda",
    formToken: issueFormToken(testSecret, new Date(now.getTime() - 60_000)),
    proof: "",
    trap: "",
    customerId: null,
    notify: null,
    clientAddress: `198.51.100.${count % 250}`,
    now,
    ...wanted,
  };
}

/** A thread that a visitor opened. */
export async function createTestThread(
  db: Db,
  wanted: Partial<NewMessage> = {},
): Promise<{ threadId: string; reference: string; email: string }> {
  const message = testMessage(wanted);
  const { reference } = await sendMessage({ db, config }, message);
  const { rows } = await db.$client.query("select id from contact_threads where reference = $1", [
    reference,
  ]);
  return { threadId: rows[0].id, reference, email: message.email };
}

interface MessageProduct {
  db: Db;
  files: FileStore;
  scanForViruses?: VirusScan;
}

/** What a customer writes signed in, with files if wanted. */
export async function writeTestMessage(
  { db, files, scanForViruses = async () => {} }: MessageProduct,
  customer: CustomerMessage["customer"],
  wanted: Partial<CustomerMessage> = {},
): Promise<{ threadId: string; fileIds: string[] }> {
  const message: CustomerMessage = {
    customer,
    into: { subject: "Where is my deposit?", about: null },
    message: "I paid in yesterday.",
    files: [],
    submissionKey: randomUUID(),
    notify: null,
    now: new Date(),
    ...wanted,
  };
  const { threadId } = await writeAsCustomer({ db, files, scanForViruses }, message);
  const { rows } = await db.$client.query(
    "select f.id from contact_files f join contact_messages m on m.id = f.message_id where m.thread_id = $1 order by f.id",
    [threadId],
  );
  return { threadId, fileIds: rows.map(({ id }) => id) };
}

/** What the writer answers to a reply, by its link. */
export function answerTestThread(db: Db, threadId: string, message: string, now = new Date()) {
  count += 1;
  return answerBack(
    { db, config },
    {
      threadToken: threadToken(testSecret, threadId),
      formToken: String(count),
      message,
      notify: null,
      clientAddress: "198.51.100.250",
      now,
    },
  );
}
