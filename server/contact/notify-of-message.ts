import { createHash } from "node:crypto";
import type { Db, Tx } from "../platform/database.ts";
import { enqueue } from "../platform/jobs/jobs.ts";
import type { Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { countAttempt, type Limit, TooManyAttempts } from "../platform/rate-limit.ts";
import { findMessage, type StoredMessage } from "./find-message.ts";
import { everybody, limits } from "./limits.ts";
import { listOperatorAddresses } from "./list-operator-addresses.ts";
import { acknowledgementMail, newMessageMail } from "./mails.ts";
import { contactMails } from "./schema.ts";

/** Promises the mails that a message brings about, if the caller's transaction commits. */
export async function notifyOfMessageLater(
  tx: Tx,
  { messageId, notify }: { messageId: string; notify: string | null },
): Promise<void> {
  await enqueue(
    tx,
    "contact/notify-of-message",
    { messageId, notify },
    { key: `contact:${messageId}` },
  );
}

/** Tells the sender that a message arrived, and operators that it waits. Each once, and within limits. */
export async function notifyOfMessage(
  db: Db,
  job: { messageId: string; notify: string | null; site: Site; now: Date },
): Promise<void> {
  const { messageId, notify, site, now } = job;
  await db.transaction(async (tx) => {
    const message = await findMessage(tx, messageId);
    if (!message || message.state === "spam") return;
    const isCustomer = message.proven === "session";
    // A customer who is signed in sees the message in the account.
    if (!isCustomer) await acknowledge(tx, message, site, now);
    if (!(await isWithin(tx, limits.operatorMails, everybody, now))) return;
    const addresses = notify ? [notify] : await listOperatorAddresses(tx);
    for (const to of addresses) {
      const mail = { to, userId: null, content: newMessageMail(site, { ...message, isCustomer }) };
      await queue(tx, message, { ...mail, key: `contact-message:${messageId}:${short(to)}`, now });
    }
  });
}

/** Only for the first message of a thread, and without a word of it: the address may be anybody's. */
async function acknowledge(tx: Tx, message: StoredMessage, site: Site, now: Date): Promise<void> {
  if (!message.isFirst) return;
  const { senderEmail, customerId, threadId } = message;
  if (!(await isWithin(tx, limits.acknowledgements, everybody, now))) return;
  if (!(await isWithin(tx, limits.acknowledgementsByEmail, senderEmail, now))) return;
  await queue(tx, message, {
    to: senderEmail,
    userId: customerId,
    content: acknowledgementMail(site, message),
    key: `contact-acknowledgement:${threadId}`,
    now,
  });
}

async function isWithin(tx: Tx, limit: Limit, who: string, now: Date): Promise<boolean> {
  try {
    await countAttempt(tx, limit, who, now);
    return true;
  } catch (error) {
    if (error instanceof TooManyAttempts) return false;
    throw error;
  }
}

/** Queues a mail and remembers it with its thread: both are forgotten together. */
async function queue(
  tx: Tx,
  { threadId }: { threadId: string },
  mail: { to: string; userId: string | null; content: RenderedMail; key: string; now: Date },
): Promise<void> {
  const { mailId } = await queueMail(tx, mail);
  if (mailId) await tx.insert(contactMails).values({ mailId, threadId });
}

/** Keys hold no addresses. */
function short(address: string): string {
  return createHash("sha256").update(address).digest("hex").slice(0, 16);
}
