import { asc, eq, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { mailKeys, mails } from "../platform/schema.ts";
import { contactFiles, contactMessages, contactReplies } from "./schema.ts";
import type { Proven } from "./thread.ts";

const m = contactMessages;

const r = contactReplies;

const f = contactFiles;

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
