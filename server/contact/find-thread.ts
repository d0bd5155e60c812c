import { isUuid } from "#core/is-uuid.ts";
import { eq, type SQL, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { customers, users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { type ListedThread, letterhead, standing } from "./list-threads.ts";
import { contactThreads } from "./schema.ts";
import type { ThreadState } from "./thread.ts";

const t = contactThreads;

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
