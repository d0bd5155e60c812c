import { randomUUIDv7 } from "node:crypto";
import type { Tx } from "../database.ts";
import { enqueue } from "../jobs.ts";
import { listMailPriority, type RenderedMail, sendJobAttempts } from "./mail.ts";
import { findPhraseFor, findPhraseOf } from "./phrase.ts";
import { mails } from "./schema.ts";

export interface NewMail {
  to: string;
  userId: string | null;
  now: Date;
  content: RenderedMail;
  /** It goes to an address that was this person's a moment ago, and carries his phrase all the same. */
  formerly?: true;
  /** A second mail with the same key is not queued. */
  key?: string;
  /** Where an answer goes; otherwise to the sender. */
  replyTo?: string;
  /** One of many: it lets letters to one person pass, and carries the way out of its list (RFC 8058). */
  list?: { unsubscribeUrl: string };
}

/**
 * Puts a mail in the queue, in the caller's transaction: it leaves if and only if what it tells about
 * was committed. It carries the phrase of whoever has this address. Enqueues `mail/send`. The id is null when a mail with the same key was queued before.
 */
export async function queueMail(tx: Tx, mail: NewMail): Promise<{ mailId: string | null }> {
  const { template, subject, holdsLink } = mail.content;
  const phrase =
    mail.formerly && mail.userId
      ? await findPhraseOf(tx, mail.userId)
      : await findPhraseFor(tx, mail.to);
  const { text, html } = mail.content.write(phrase);
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
      replyTo: mail.replyTo ?? null,
      unsubscribeUrl: mail.list?.unsubscribeUrl ?? null,
      createdAt: mail.now,
    })
    .onConflictDoNothing({ target: mails.key })
    .returning({ id: mails.id });
  if (queued.length === 0) return { mailId: null };
  await enqueue(
    tx,
    "mail/send",
    { mailId: id },
    {
      key: `mail:${id}`,
      maxAttempts: sendJobAttempts,
      priority: mail.list ? listMailPriority : 0,
    },
  );
  return { mailId: id };
}
