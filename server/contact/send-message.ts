import { createHash, randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { oneLine, plainText } from "#core/text/plain-text.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { clientNetwork, countAttempt, wholeSite } from "../platform/rate-limit.ts";
import { findSubmission } from "./find-submission.ts";
import { ageOfForm } from "./form-token.ts";
import { limits } from "./limits.ts";
import { notifyOfMessageLater } from "./notify-of-message.ts";
import { contactMessages, contactThreads } from "./schema.ts";
import type { Secrets } from "./sign.ts";
import { spendProof } from "./spend-proof.ts";
import { newReference, type Proven } from "./thread.ts";

/** Nobody reads the page, writes and presses Send in less. */
const fastestPersonMs = 4_000;

export interface NewMessage {
  fullName: string;
  email: string;
  subject: string;
  message: string;
  formToken: string;
  /** The solved challenge, or nothing without JavaScript. */
  proof: string;
  /** A field that people do not see. */
  trap: string;
  /** Who was signed in, if a customer was. */
  customerId: string | null;
  /** Where the operator wants to hear of it; null: everyone on the staff who answers does. */
  notify: string | null;
  clientAddress: string;
  now: Date;
}

interface Context {
  db: Db;
  config: Secrets;
}

/**
 * Takes a visitor's message into the queue of the console. The same form with the same words is one message, however often it arrives. What
 * the hidden field caught is kept among the spam, unless its writer is signed in, and nobody is mailed. Enqueues
 * `contact/notify-of-message`.
 *
 * @throws Refusal `contact/form-expired`, `contact/too-fast`
 * @throws Busy, when too many write without a solved challenge; TooManyAttempts
 */
export async function sendMessage(
  { db, config }: Context,
  sent: NewMessage,
): Promise<{ reference: string }> {
  const message = { ...sent, ...asWritten(sent) };
  const submission = submissionOf(message);
  const known = await findSubmission(db, submission);
  if (known) return known;
  const { now } = message;
  await countAttempt(db, limits.messagesByNetwork, clientNetwork(message.clientAddress), now);
  const proven = await weigh(db, config, message);
  await countAttempt(db, limits.messagesByEmail, message.email, now);
  return db.transaction((tx) => keep(tx, { ...message, submission, proven }));
}

function asWritten({ fullName, email, subject, message }: NewMessage) {
  return {
    fullName: oneLine(fullName),
    email: oneLine(email).toLowerCase(),
    subject: oneLine(subject),
    message: plainText(message),
  };
}

function submissionOf({ formToken, fullName, email, subject, message }: NewMessage): Buffer {
  const parts = [formToken, fullName, email, subject, message];
  return createHash("sha256").update(parts.join("\0")).digest();
}

/** A solved challenge is enough. Without one the form must have been looked at for a while, and stricter limits hold. */
async function weigh(db: Db, secrets: Secrets, sent: NewMessage): Promise<Proven> {
  const { now } = sent;
  if (await spendProof(db, { secret: secrets.authSecret, text: sent.proof, now })) return "work";
  const ageMs = ageOfForm(secrets, sent.formToken, now);
  if (ageMs === null) throw new Refusal("contact/form-expired");
  if (ageMs < fastestPersonMs) throw new Refusal("contact/too-fast");
  await countAttempt(db, limits.withoutWorkByNetwork, clientNetwork(sent.clientAddress), now);
  await countAttempt(db, limits.withoutWork, wholeSite, now);
  return "patience";
}

async function keep(
  tx: Tx,
  sent: NewMessage & { submission: Buffer; proven: Proven },
): Promise<{ reference: string }> {
  const { submission, now } = sent;
  // The same form twice at once: the second waits here, and then finds the first.
  const key = submission.toString("hex");
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contact:${key}`}, 0))`);
  const known = await findSubmission(tx, submission);
  if (known) return known;
  const isSuspected = sent.trap !== "" && sent.customerId === null;
  const thread = {
    id: randomUUIDv7(),
    reference: newReference(),
    senderName: sent.fullName,
    senderEmail: sent.email,
    subject: sent.subject,
    customerId: sent.customerId,
    state: isSuspected ? ("spam" as const) : ("open" as const),
    isSuspected,
    createdAt: now,
    waitingSince: now,
    lastAt: now,
  };
  await tx.insert(contactThreads).values(thread);
  const messageId = randomUUIDv7();
  await tx.insert(contactMessages).values({
    id: messageId,
    threadId: thread.id,
    submissionSha256: submission,
    body: sent.message,
    proven: sent.proven,
    createdAt: now,
  });
  if (!isSuspected) await notifyOfMessageLater(tx, { messageId, notify: sent.notify });
  return { reference: thread.reference };
}
