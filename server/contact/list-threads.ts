import { containing } from "#server/platform/containing.ts";
import { keyset } from "#server/platform/keyset.ts";
import { and, desc, eq, or, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { customers, users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { contactThreads } from "./schema.ts";
import type { ThreadState } from "./thread.ts";

const t = contactThreads;

export const letterhead = {
  threadId: t.id,
  reference: t.reference,
  senderName: t.senderName,
  senderEmail: t.senderEmail,
  subject: t.subject,
};

export const standing = {
  isSuspected: t.isSuspected,
  waitingSince: t.waitingSince,
  lastAt: t.lastAt,
};

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
  const order =
    state === "open" ? keyset("asc", t.waitingSince, t.id) : keyset("desc", t.lastAt, t.id);
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
        containing(search, t.senderName, t.senderEmail, t.subject, t.reference),
        order.beyond(after),
      ),
    )
    .orderBy(...order.by)
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

const owners = alias(users, "owners");
