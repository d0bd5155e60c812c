import { createHash, randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { plainText } from "#core/text/plain-text.ts";
import { eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { clientNetwork, countAttempt } from "../platform/rate-limit.ts";
import { findSubmission } from "./find-submission.ts";
import { limits } from "./limits.ts";
import { notifyOfMessageLater } from "./notify-of-message.ts";
import { contactMessages, contactThreads } from "./schema.ts";
import type { Secrets } from "./sign.ts";
import { threadIdIn } from "./thread-token.ts";

export interface AnswerBack {
  /** From the link in a mail of ours. */
  threadToken: string | null;
  formToken: string;
  message: string;
  notify: string | null;
  clientAddress: string;
  now: Date;
}

/**
 * Takes what somebody answers to a mailed reply into its thread, which then waits again. The link proves who writes well enough:
 * it went to that address alone. Spam stays spam. Enqueues `contact/notify-of-message`.
 *
 * @throws Refusal `contact/thread-gone`
 * @throws TooManyAttempts
 */
export async function answerBack(
  { db, config }: { db: Db; config: Secrets },
  answer: AnswerBack,
): Promise<{ reference: string }> {
  const threadId = threadIdIn(config, answer.threadToken);
  if (!threadId) throw new Refusal("contact/thread-gone");
  const body = plainText(answer.message);
  const submission = createHash("sha256")
    .update([threadId, answer.formToken, body].join("\0"))
    .digest();
  const known = await findSubmission(db, submission);
  if (known) return known;
  await countAttempt(db, limits.messagesByNetwork, clientNetwork(answer.clientAddress), answer.now);
  await countAttempt(db, limits.answersByThread, threadId, answer.now);
  return db.transaction((tx) => keep(tx, { ...answer, threadId, body, submission }));
}

async function keep(
  tx: Tx,
  answer: AnswerBack & { threadId: string; body: string; submission: Buffer },
): Promise<{ reference: string }> {
  const { threadId, submission, body, notify, now } = answer;
  const [thread] = await tx
    .select()
    .from(contactThreads)
    .where(eq(contactThreads.id, threadId))
    .for("update");
  if (!thread) throw new Refusal("contact/thread-gone");
  // Under the thread's lock: the same form twice at once is found here by the second.
  const known = await findSubmission(tx, submission);
  if (known) return known;
  const messageId = randomUUIDv7();
  await tx.insert(contactMessages).values({
    id: messageId,
    threadId,
    submissionSha256: submission,
    body,
    proven: "link",
    createdAt: now,
  });
  const isSpam = thread.state === "spam";
  await tx
    .update(contactThreads)
    .set({
      state: isSpam ? "spam" : "open",
      waitingSince: thread.state === "open" ? thread.waitingSince : now,
      lastAt: now,
      revision: sql`${contactThreads.revision} + 1`,
    })
    .where(eq(contactThreads.id, threadId));
  if (!isSpam) await notifyOfMessageLater(tx, { messageId, notify });
  return { reference: thread.reference };
}
