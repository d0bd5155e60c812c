import { setTimeout as wait } from "node:timers/promises";
import { and, eq, isNull, lte, or, sql } from "#server/platform/sql.ts";
import type { Config } from "../config.ts";
import type { Db } from "../database.ts";
import type { Log } from "../log/log.ts";
import { mails } from "../schema.ts";
import { maxSendAttempts } from "./mail.ts";
import { markAttachment } from "./mark.ts";
import { type DeliveryError, openTransport, type Transport } from "./transport.ts";

export interface MailContext {
  db: Db;
  config: Pick<Config, "smtpUrl" | "dataDir" | "mailFrom">;
  log: Log;
  now(): Date;
}

/** Longer than one try can take: after it, a worker that took the mail and died is not waited for. */
const leaseMs = 60_000;

/**
 * Hands one queued mail to the mail server. Sent once as far as SMTP allows: a worker that dies between the
 * server's yes and our note of it sends again, under the same Message-ID, which mailboxes fold into one.
 *
 * @throws DeliveryError so that the queue tries again later, with growing waits.
 */
export async function sendMail(context: MailContext, mailId: string): Promise<void> {
  const mail = await claim(context, mailId);
  if (!mail) return;
  const transport = openTransport(context.config);
  try {
    await transport.deliver({
      id: mail.id,
      messageId: `<${mail.id}@${domainOf(context.config.mailFrom)}>`,
      date: mail.createdAt,
      from: context.config.mailFrom,
      to: { name: "", address: mail.recipient },
      subject: mail.subject,
      text: mail.bodyText ?? "",
      html: mail.bodyHtml ?? "",
      attachments: [markAttachment],
      ...(mail.replyTo !== null && { replyTo: { name: "", address: mail.replyTo } }),
      headers: { "auto-submitted": "auto-generated" },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } catch (error) {
    await noteFailure(context, mail, error as DeliveryError);
    return;
  }
  await noteSent(context, mail, transport);
}

type Mail = typeof mails.$inferSelect;

/** Takes the mail for this worker alone; null when it is sent, given up, or another worker is at it. */
async function claim({ db, now }: MailContext, mailId: string): Promise<Mail | null> {
  const at = now();
  const [mail] = await db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      sendingUntil: new Date(at.getTime() + leaseMs),
    })
    .where(
      and(
        eq(mails.id, mailId),
        eq(mails.state, "queued"),
        or(isNull(mails.sendingUntil), lte(mails.sendingUntil, at)),
      ),
    )
    .returning();
  if (mail) return mail;
  const [taken] = await db.select({ state: mails.state }).from(mails).where(eq(mails.id, mailId));
  // The worker that has it may have died: look again when its time is up.
  if (taken?.state === "queued") throw new Error("another worker is sending this mail");
  return null;
}

/** A body with a link that opens something is not kept, unless the console is the only place to read it. */
async function noteSent({ db, now }: MailContext, mail: Mail, { via }: Transport): Promise<void> {
  const cut = mail.holdsLink && via === "smtp" ? { bodyText: null, bodyHtml: null } : {};
  const set = { state: "sent", sentAt: now(), sentVia: via, lastError: null } as const;
  await note(db, mail, { ...set, sendingUntil: null, ...cut });
}

const noteTries = 4;
const noteAgainMs = 200;

/** A mail that has left is not to be sent again because one connection to the database broke. */
async function note(db: Db, { id }: Mail, set: Partial<typeof mails.$inferInsert>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await db.update(mails).set(set).where(eq(mails.id, id));
      return;
    } catch (error) {
      if (tried === noteTries) throw error;
      await wait(noteAgainMs * 2 ** tried);
    }
  }
}

async function noteFailure(
  { db, log }: MailContext,
  mail: Mail,
  error: DeliveryError,
): Promise<void> {
  const isGivenUp = error.isFinal || mail.attempts >= maxSendAttempts;
  const set = { lastError: error.message, sendingUntil: null };
  await note(db, mail, { ...set, ...(isGivenUp && { state: "failed" }) });
  if (!isGivenUp) throw error;
  log.error({ mailId: mail.id, template: mail.template, reason: error.message }, "mail given up");
}

/** The part of the sender's address after the @. */
function domainOf(mailFrom: string): string {
  return /@([^\s>@]+)>?\s*$/.exec(mailFrom)?.[1] ?? "localhost";
}
