import { createHash, randomUUIDv7 } from "node:crypto";
import { contactLimits } from "#core/contact.ts";
import { Refusal } from "#core/refusal.ts";
import { oneLine, plainText } from "#core/text/plain-text.ts";
import { and, eq, inArray, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { ReceivedFile } from "../platform/files/read-upload.ts";
import type { VirusScan } from "../platform/files/virus-scan.ts";
import { countAttempt } from "../platform/rate-limit.ts";
import { isOwnThread } from "./find-own-thread.ts";
import { findSubmission } from "./find-submission.ts";
import { keepFiles } from "./keep-files.ts";
import { limits } from "./limits.ts";
import { notifyOfMessageLater } from "./notify-of-message.ts";
import { contactFiles, contactMessages, contactThreads } from "./schema.ts";
import { newReference } from "./thread.ts";

export interface CustomerMessage {
  customer: { id: string; firstName: string; lastName: string; email: string };
  /** The thread that it answers in, or what a new one is about. */
  into: { threadId: string } | { subject: string; about: string | null };
  message: string;
  files: ReceivedFile[];
  /** Minted with the form: however often it arrives, it is one message. */
  submissionKey: string;
  /** Where the operator wants to hear of it; null: everyone on the staff who answers does. */
  notify: string | null;
  now: Date;
}

interface Context {
  db: Db;
  files: FileStore;
  scanForViruses: VirusScan;
}

/**
 * Takes what a customer writes while signed in, with its files: into a new thread, or into one of their own, which then
 * waits again. The same form is one message. Enqueues `contact/notify-of-message`.
 *
 * @throws Refusal `contact/no-such-thread`, and as `keepFiles` does
 * @throws TooManyAttempts
 */
export async function writeAsCustomer(
  app: Context,
  written: CustomerMessage,
): Promise<{ threadId: string }> {
  const { customer, now } = written;
  const body = plainText(written.message);
  const submission = submissionOf(written, body);
  const known = await findSubmission(app.db, submission);
  if (known) return known;
  await requireOwnThread(app.db, written);
  await countAttempt(app.db, limits.messagesByCustomer, customer.id, now);
  const { into } = written;
  // A thread is read whole, by its customer and by staff.
  if ("threadId" in into) await countAttempt(app.db, limits.answersByThread, into.threadId, now);
  const fileIds = await keepFiles(app, customer.id, written.files, now);
  return app.db.transaction((tx) => keep(tx, { ...written, body, submission, fileIds }));
}

function submissionOf(written: CustomerMessage, body: string): Buffer {
  const { customer, into, submissionKey, files } = written;
  const where = "threadId" in into ? into.threadId : into.subject;
  const sent = files.map(({ name, bytes }) => [oneLine(name), sha256(bytes).toString("hex")]);
  return sha256(["customer", customer.id, submissionKey, where, body, ...sent.flat()].join("\0"));
}

const sha256 = (of: string | Uint8Array) => createHash("sha256").update(of).digest();

/** Before files are kept for a thread that is another's, or gone. */
async function requireOwnThread(db: Db, { into, customer }: CustomerMessage): Promise<void> {
  if ("threadId" in into && !(await isOwnThread(db, customer.id, into.threadId))) {
    throw new Refusal("contact/no-such-thread");
  }
}

const t = contactThreads;

type Kept = CustomerMessage & { body: string; submission: Buffer; fileIds: string[] };

async function keep(tx: Tx, kept: Kept): Promise<{ threadId: string }> {
  const { submission, into, body, fileIds, customer, notify, now } = kept;
  // The same form twice at once: the second waits here, and then finds the first.
  const key = submission.toString("hex");
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contact:${key}`}, 0))`);
  const known = await findSubmission(tx, submission);
  if (known) return known;
  const thread =
    "threadId" in into ? await continueThread(tx, into, customer, now) : await open(tx, kept, into);
  const messageId = randomUUIDv7();
  await tx.insert(contactMessages).values({
    id: messageId,
    threadId: thread.threadId,
    submissionSha256: submission,
    body,
    proven: "session",
    createdAt: now,
  });
  if (fileIds.length > 0) {
    const own = and(inArray(contactFiles.id, fileIds), eq(contactFiles.customerId, customer.id));
    await tx.update(contactFiles).set({ messageId }).where(own);
  }
  await notifyOfMessageLater(tx, { messageId, notify });
  return { threadId: thread.threadId };
}

async function open(
  tx: Tx,
  { customer, now }: Kept,
  { subject, about }: { subject: string; about: string | null },
) {
  const threadId = randomUUIDv7();
  const name = `${customer.firstName} ${customer.lastName}`;
  await tx.insert(t).values({
    id: threadId,
    reference: newReference(),
    senderName: oneLine(name).slice(0, contactLimits.fullName),
    senderEmail: customer.email,
    subject: oneLine(subject),
    about,
    customerId: customer.id,
    state: "open",
    createdAt: now,
    waitingSince: now,
    lastAt: now,
  });
  return { threadId };
}

/** It waits again. */
async function continueThread(
  tx: Tx,
  into: { threadId: string },
  customer: { id: string },
  now: Date,
) {
  const own = and(eq(t.id, into.threadId), eq(t.customerId, customer.id));
  const [thread] = await tx.select().from(t).where(own).for("update");
  if (!thread) throw new Refusal("contact/no-such-thread");
  await tx
    .update(t)
    .set({
      state: "open",
      waitingSince: thread.state === "open" ? thread.waitingSince : now,
      lastAt: now,
      revision: sql`${t.revision} + 1`,
    })
    .where(eq(t.id, thread.id));
  return { threadId: thread.id };
}
