import { randomUUIDv7 } from "node:crypto";
import type { Tx } from "../database.ts";
import { enqueue } from "../jobs.ts";
import { type RenderedMail, sendJobAttempts } from "./mail.ts";
import { mails } from "./schema.ts";

/**
 * Puts a mail in the queue, in the caller's transaction: it leaves if and only if what it tells about
 * was committed. Enqueues `mail/send`.
 */
export async function queueMail(
  tx: Tx,
  mail: { to: string; userId: string | null; now: Date; content: RenderedMail },
): Promise<{ mailId: string }> {
  const { template, subject, text, html, holdsLink } = mail.content;
  const id = randomUUIDv7();
  await tx.insert(mails).values({
    id,
    userId: mail.userId,
    recipient: mail.to,
    template,
    subject,
    bodyText: text,
    bodyHtml: html,
    holdsLink,
    createdAt: mail.now,
  });
  await enqueue(
    tx,
    "mail/send",
    { mailId: id },
    { key: `mail:${id}`, maxAttempts: sendJobAttempts },
  );
  return { mailId: id };
}
