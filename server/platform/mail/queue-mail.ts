import { randomUUIDv7 } from "node:crypto";
import type { Tx } from "../database.ts";
import { enqueue } from "../jobs.ts";
import { type RenderedMail, sendJobAttempts } from "./mail.ts";
import { mails } from "./schema.ts";

export interface NewMail {
  to: string;
  userId: string | null;
  now: Date;
  content: RenderedMail;
  /** A second mail with the same key is not queued. */
  key?: string;
}

/**
 * Puts a mail in the queue, in the caller's transaction: it leaves if and only if what it tells about
 * was committed. Enqueues `mail/send`. The id is null when a mail with the same key was queued before.
 */
export async function queueMail(tx: Tx, mail: NewMail): Promise<{ mailId: string | null }> {
  const { template, subject, text, html, holdsLink } = mail.content;
  const id = randomUUIDv7();
  const queued = await tx
    .insert(mails)
    .values({
      id,
      userId: mail.userId,
      key: mail.key ?? null,
      recipient: mail.to,
      template,
      subject,
      bodyText: text,
      bodyHtml: html,
      holdsLink,
      createdAt: mail.now,
    })
    .onConflictDoNothing({ target: mails.key })
    .returning({ id: mails.id });
  if (queued.length === 0) return { mailId: null };
  await enqueue(
    tx,
    "mail/send",
    { mailId: id },
    { key: `mail:${id}`, maxAttempts: sendJobAttempts },
  );
  return { mailId: id };
}
