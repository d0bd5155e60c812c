import { isUuid } from "#core/is-uuid.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { listWords, type Word } from "./list-messages.ts";
import { contactThreads } from "./schema.ts";
import type { OwnThreadState } from "./thread.ts";

const t = contactThreads;

/** What a customer reads of an answer: the words and who wrote them, nothing of how the mail about it fared. */
export type OwnWord =
  | Extract<Word, { kind: "message" }>
  | Pick<Extract<Word, { kind: "reply" }>, "kind" | "id" | "body" | "createdAt" | "operatorName">;

export interface OwnThreadCase {
  threadId: string;
  reference: string;
  subject: string;
  about: string | null;
  state: OwnThreadState;
  revision: number;
  hasNews: boolean;
  words: OwnWord[];
}

function isOwn(threadId: string, customerId: string) {
  return and(eq(t.id, threadId), eq(t.customerId, customerId));
}

/** Whether a thread of this id is this customer's. */
export async function isOwnThread(
  db: Db | Tx,
  customerId: string,
  threadId: string,
): Promise<boolean> {
  if (!isUuid(threadId)) return false;
  const found = await db.select({ id: t.id }).from(t).where(isOwn(threadId, customerId));
  return found.length > 0;
}

/** One of a customer's own threads with all that was said in it; null when there is none, or it is another's. */
export async function findOwnThread(
  db: Db | Tx,
  customerId: string,
  threadId: string | undefined,
): Promise<OwnThreadCase | null> {
  if (!isUuid(threadId)) return null;
  const [found] = await db
    .select({
      threadId: t.id,
      reference: t.reference,
      subject: t.subject,
      about: t.about,
      state: sql<OwnThreadState>`${t.state}`,
      revision: t.revision,
      hasNews: t.hasNews,
    })
    .from(t)
    .where(isOwn(threadId, customerId));
  if (!found) return null;
  const words = await listWords(db, found.threadId);
  return { ...found, words: words.map(asOwn) };
}

function asOwn(word: Word): OwnWord {
  if (word.kind === "message") return word;
  const { kind, id, body, createdAt, operatorName } = word;
  // Customers are answered by first names, as in the mails to visitors.
  return { kind, id, body, createdAt, operatorName: operatorName.split(" ")[0] ?? "" };
}
