import { may, operatorRoles } from "#core/permissions.ts";
import { and, asc, desc, eq, ilike, inArray, or, type SQL, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { auditLog, customers, operators, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { mailKeys, mails } from "../platform/mail/schema.ts";
import { contactFiles, contactMessages, contactReplies, contactThreads } from "./schema.ts";
import { isUuid, type Proven, type ThreadState } from "./thread.ts";

const t = contactThreads;
const m = contactMessages;
const r = contactReplies;
const f = contactFiles;

const letterhead = {
  threadId: t.id,
  reference: t.reference,
  senderName: t.senderName,
  senderEmail: t.senderEmail,
  subject: t.subject,
};
const standing = {
  isSuspected: t.isSuspected,
  waitingSince: t.waitingSince,
  lastAt: t.lastAt,
};

/** The thread of a form that arrived before, or null. */
export async function findSubmission(
  db: Db | Tx,
  submission: Uint8Array,
): Promise<{ threadId: string; reference: string } | null> {
  const [found] = await db
    .select({ threadId: t.id, reference: t.reference })
    .from(m)
    .innerJoin(t, eq(t.id, m.threadId))
    .where(eq(m.submissionSha256, submission));
  return found ?? null;
}

export type StoredMessage = NonNullable<Awaited<ReturnType<typeof findMessage>>>;

/** A message with what is known of its thread, or null when it was deleted by rule. */
export async function findMessage(db: Db | Tx, messageId: string) {
  const [found] = await db
    .select({
      ...letterhead,
      customerId: t.customerId,
      state: t.state,
      body: m.body,
      proven: m.proven,
      files: sql<number>`(select count(*)::int from contact_files f where f.message_id = ${m.id})`,
      createdAt: m.createdAt,
      isFirst: sql<boolean>`not exists (select from contact_messages e where e.thread_id = ${t.id} and e.id < ${m.id})`,
    })
    .from(m)
    .innerJoin(t, eq(t.id, m.threadId))
    .where(eq(m.id, messageId));
  return found ?? null;
}

/** The addresses of the staff who answer: what was written is for nobody else's mailbox. */
export async function listOperatorAddresses(db: Db | Tx): Promise<string[]> {
  const answerers = operatorRoles.filter((role) => may(role, "contact/reply"));
  const found = await db
    .select({ email: users.email })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.id))
    .where(and(eq(operators.state, "active"), inArray(operators.role, answerers)))
    .orderBy(asc(users.email))
    .limit(50);
  return found.map(({ email }) => email);
}

export interface ListedThread {
  threadId: string;
  reference: string;
  senderName: string;
  senderEmail: string;
  subject: string;
  isSuspected: boolean;
  waitingSince: Date;
  lastAt: Date;
  messages: number;
  replies: number;
  /** Who wrote, signed in; else whose the address is, which proves nobody. */
  customerId: string | null;
}

/** Threads in one state: those that wait, the oldest first; others by their last word, newest first. `after` is the last one seen. */
export async function listThreads(
  db: Db,
  wanted: { state: ThreadState; search?: string; after?: string | undefined; limit: number },
): Promise<ListedThread[]> {
  const { state, search, after, limit } = wanted;
  const isQueue = state === "open";
  return db
    .select({
      ...letterhead,
      ...standing,
      messages: sql<number>`(select count(*)::int from contact_messages c where c.thread_id = contact_threads.id)`,
      replies: sql<number>`(select count(*)::int from contact_replies c where c.thread_id = contact_threads.id)`,
      customerId: sql<string | null>`coalesce(${t.customerId}, ${customers.id})`,
    })
    .from(t)
    .leftJoin(owners, eq(owners.email, t.senderEmail))
    .leftJoin(customers, eq(customers.id, owners.id))
    .where(
      and(
        eq(t.state, state),
        search ? matching(search) : undefined,
        isUuid(after) ? beyond(after, isQueue) : undefined,
      ),
    )
    .orderBy(...(isQueue ? [asc(t.waitingSince), asc(t.id)] : [desc(t.lastAt), desc(t.id)]))
    .limit(limit);
}

/** Threads that a customer wrote while signed in, or that somebody wrote with his address; by their last word, newest first. */
export function listThreadsAbout(
  db: Db,
  { customerId, email, limit }: { customerId: string; email: string; limit: number },
) {
  return db
    .select({
      threadId: t.id,
      reference: t.reference,
      subject: t.subject,
      state: t.state,
      lastAt: t.lastAt,
      wasSignedIn: sql<boolean>`coalesce(${t.customerId} = ${customerId}, false)`,
    })
    .from(t)
    .where(or(eq(t.customerId, customerId), eq(t.senderEmail, email)))
    .orderBy(desc(t.lastAt), desc(t.id))
    .limit(limit);
}

function matching(text: string): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const columns = [t.senderName, t.senderEmail, t.subject, t.reference];
  return or(...columns.map((column) => ilike(column, pattern)));
}

function beyond(id: string, isQueue: boolean): SQL {
  return isQueue
    ? sql`(${t.waitingSince}, ${t.id}) > (select c.waiting_since, c.id from contact_threads c where c.id = ${id})`
    : sql`(${t.lastAt}, ${t.id}) < (select c.last_at, c.id from contact_threads c where c.id = ${id})`;
}

/** Which thread waits longest, this one left aside; null when none does. */
export async function findNextThread(db: Db, exceptId: string): Promise<string | null> {
  const [next] = await db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.state, "open"), sql`${t.id} <> ${exceptId}`))
    .orderBy(asc(t.waitingSince), asc(t.id))
    .limit(1);
  return next?.id ?? null;
}

export interface Thread extends Omit<ListedThread, "messages" | "replies" | "customerId"> {
  state: ThreadState;
  /** The customer's own case that it is about: "deposit:<id>". */
  about: string | null;
  /** Whether the last message came from the account: then the answer is read there, else it goes by mail. */
  isFromAccount: boolean;
  createdAt: Date;
  revision: number;
  /** Who was signed in when writing. */
  writer: Person | null;
  /** Whose address it is, which proves nothing. */
  addressOf: (Person & { emailVerified: boolean }) | null;
}

interface Person {
  customerId: string;
  name: string;
}

/** Whether the last message of a thread was written signed in, on the page of the account. */
export function isFromAccount(threadId: SQL | typeof t.id) {
  return sql<boolean>`(select c.proven = 'session' from contact_messages c where c.thread_id = ${threadId} order by c.created_at desc, c.id desc limit 1)`;
}

const writers = alias(users, "writers");
const owners = alias(users, "owners");

/** A thread with whom it is known to be from, or null. */
export async function findThread(db: Db, threadId: string | undefined): Promise<Thread | null> {
  if (!isUuid(threadId)) return null;
  const [found] = await db
    .select({
      ...letterhead,
      ...standing,
      state: t.state,
      about: t.about,
      isFromAccount: isFromAccount(t.id),
      createdAt: t.createdAt,
      revision: t.revision,
      customerId: t.customerId,
      writerName: writers.name,
      ownerId: customers.id,
      ownerName: owners.name,
      ownerVerified: owners.emailVerified,
    })
    .from(t)
    .leftJoin(writers, eq(writers.id, t.customerId))
    .leftJoin(owners, eq(owners.email, t.senderEmail))
    .leftJoin(customers, eq(customers.id, owners.id))
    .where(eq(t.id, threadId));
  if (!found) return null;
  const { customerId, writerName, ownerId, ownerName, ownerVerified, ...thread } = found;
  return {
    ...thread,
    writer: customerId ? { customerId, name: writerName ?? "" } : null,
    addressOf: ownerId
      ? { customerId: ownerId, name: ownerName ?? "", emailVerified: ownerVerified ?? false }
      : null,
  };
}

/** One thing said in a thread, by who wrote or by staff. */
export type Word =
  | {
      kind: "message";
      id: string;
      body: string;
      createdAt: Date;
      proven: Proven;
      files: AttachedFile[];
    }
  | {
      kind: "reply";
      id: string;
      body: string;
      createdAt: Date;
      operatorName: string;
      mailId: string | null;
      mailState: "queued" | "sent" | "failed" | null;
    };

/** A file that came with a message. */
export interface AttachedFile {
  fileId: string;
  name: string;
  mediaType: "image/jpeg" | "application/pdf";
  byteSize: number;
}

/** All that was said in a thread, in order. */
export async function listWords(db: Db | Tx, threadId: string): Promise<Word[]> {
  const messages = await db
    .select({ id: m.id, body: m.body, createdAt: m.createdAt, proven: m.proven })
    .from(m)
    .where(eq(m.threadId, threadId));
  const replies = await db
    .select({
      id: r.id,
      body: r.body,
      createdAt: r.createdAt,
      operatorName: sql<string>`coalesce(${users.name}, '')`,
      mailId: mails.id,
      mailState: mails.state,
    })
    .from(r)
    .innerJoin(auditLog, eq(auditLog.id, r.actId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .leftJoin(
      mailKeys,
      eq(mailKeys.key, sql`'contact-reply:' || ${r.threadId} || ':' || ${r.submissionKey}`),
    )
    .leftJoin(mails, eq(mails.id, mailKeys.id))
    .where(eq(r.threadId, threadId));
  const attached = await db
    .select({
      fileId: f.id,
      messageId: f.messageId,
      name: f.originalName,
      mediaType: f.mediaType,
      byteSize: f.byteSize,
    })
    .from(f)
    .innerJoin(m, eq(m.id, f.messageId))
    .where(eq(m.threadId, threadId))
    .orderBy(asc(f.id));
  const filesOf = Map.groupBy(attached, ({ messageId }) => messageId);
  const words: Word[] = [
    ...messages.map((each) => ({
      kind: "message" as const,
      ...each,
      files: (filesOf.get(each.id) ?? []).map(({ messageId: _, ...file }) => file),
    })),
    ...replies.map((each) => ({ kind: "reply" as const, ...each })),
  ];
  return words.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/** The reference of a thread, for who holds a link to it, or null when it is gone. */
export async function findReference(db: Db, threadId: string): Promise<string | null> {
  const [found] = await db.select({ reference: t.reference }).from(t).where(eq(t.id, threadId));
  return found?.reference ?? null;
}
