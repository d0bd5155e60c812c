import { createHash, randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { plainText } from "#core/text/plain-text.ts";
import { flag, getRow } from "#server/platform/database/read-rows.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import type { Customer } from "../identity/account/customer.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator, Operator } from "../identity/staff/operator.ts";
import type { Config } from "../platform/config.ts";
import type { Db, Tx } from "../platform/database.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { isFromAccount } from "./find-thread.ts";
import { type LockedThread, lockThread } from "./lock-thread.ts";
import { answeredMail, replyMail } from "./mails.ts";
import { refusals } from "./refusals.ts";
import { contactMails, contactReplies, contactThreads } from "./schema.ts";
import { threadToken } from "./thread-token.ts";

export interface Reply {
  threadId: string;
  /** Minted with the form: however often it arrives, it is one reply. */
  submissionKey: string;
  /** The thread's revision that the operator looked at. */
  seen: number;
  text: string;
  /** Where an answer by mail program goes, if the company has an address. */
  replyTo: string | null;
}

interface Context {
  db: Db;
  config: Pick<Config, "authSecret" | "siteName" | "appUrl">;
}

/**
 * Answers a thread as a member of staff, where the last message came from: by mail, or in the account, and then a mail says
 * that it is there. A customer sees it in the account either way. The audit log keeps that it was done and the words' hash, not the
 * words.
 *
 * @throws Refusal `contact/no-such-thread`, `contact/thread-changed`, `contact/reply-missing`, `contact/names-address`
 */
export async function replyToThread(
  { db, config }: Context,
  operator: ActingOperator & Pick<Operator, "firstName">,
  reply: Reply,
  now: Date,
): Promise<void> {
  const text = plainText(reply.text);
  if (text === "") throw new Refusal("contact/reply-missing");
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const thread = await lockThread(tx, reply.threadId);
      if (await isThere(tx, reply)) return;
      if (thread.revision !== reply.seen) throw new Refusal("contact/thread-changed");
      const act = {
        act: "contact/reply" as const,
        subject: `message:${thread.id}`,
        ...(thread.customerId && { customerId: thread.customerId }),
        detail: {
          reference: thread.reference,
          characters: text.length,
          sha256: createHash("sha256").update(text).digest("hex"),
        },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, auditId) => {
        await keep(inner, { ...reply, text, auditId, now });
        const customer = await findReader(inner, thread);
        const mail = customer
          ? mailToCustomer(config, customer, thread)
          : mailOf(config, operator.firstName, thread, { ...reply, text });
        const key = `contact-reply:${thread.id}:${reply.submissionKey}`;
        const { mailId } = await queueMail(inner, { ...mail, key, now });
        if (mailId) await inner.insert(contactMails).values({ mailId, threadId: thread.id });
      });
    }),
  );
}

async function isThere(tx: Tx, { threadId, submissionKey }: Reply): Promise<boolean> {
  const found = await tx
    .select({ id: contactReplies.id })
    .from(contactReplies)
    .where(
      and(eq(contactReplies.threadId, threadId), eq(contactReplies.submissionKey, submissionKey)),
    );
  return found.length > 0;
}

async function keep(tx: Tx, reply: Reply & { auditId: string; now: Date }): Promise<void> {
  const { threadId, submissionKey, text, auditId, now } = reply;
  await tx.insert(contactReplies).values({
    id: randomUUIDv7(),
    threadId,
    submissionKey,
    body: text,
    actId: auditId,
    createdAt: now,
  });
  await tx
    .update(contactThreads)
    .set({
      state: "answered",
      lastAt: now,
      revision: sql`${contactThreads.revision} + 1`,
      changedByAct: auditId,
      hasNews: sql`${contactThreads.customerId} is not null`,
    })
    .where(eq(contactThreads.id, threadId));
}

/** The customer who reads the answer in the account; null: it goes by mail to where the last message said. */
async function findReader(tx: Tx, { id, customerId }: LockedThread): Promise<Customer | null> {
  if (!customerId) return null;
  const wrote = sql`select ${isFromAccount(sql`${id}::uuid`)} as from_account`;
  const { fromAccount } = await getRow(tx, wrote, { fromAccount: flag });
  return fromAccount ? findCustomer(tx, customerId) : null;
}

/** To the address of the account, which may be another than the one that was written then. */
function mailToCustomer(config: Context["config"], customer: Customer, to: LockedThread) {
  const { reference, subject } = to;
  const { firstName } = customer;
  const content = { firstName, threadId: to.id, reference, subject };
  return { to: customer.email, userId: customer.id, content: answeredMail(config, content) };
}

function mailOf(config: Context["config"], operatorName: string, to: LockedThread, reply: Reply) {
  const answerUrl = `${config.appUrl}/contact/answer?token=${threadToken(config.authSecret, to.id)}`;
  const { reference, senderName, subject } = to;
  const content = { reference, senderName, subject, body: reply.text, operatorName, answerUrl };
  return {
    to: to.senderEmail,
    userId: to.customerId,
    content: replyMail(config, content),
    ...(reply.replyTo && { replyTo: reply.replyTo }),
  };
}
