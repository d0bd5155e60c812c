import { eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { letterhead } from "./list-threads.ts";
import { contactMessages, contactThreads } from "./schema.ts";

const t = contactThreads;

const m = contactMessages;

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
