import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../database.ts";
import { mailPhrases } from "../schema.ts";

/** The phrase that every mail to this address carries, or null. */
export async function findPhraseFor(tx: Tx, recipient: string): Promise<string | null> {
  const [found] = await tx
    .select({ phrase: mailPhrases.phrase })
    .from(mailPhrases)
    .where(eq(mailPhrases.recipient, recipient.toLowerCase()));
  return found?.phrase ?? null;
}

/** The phrase that this person chose, or null. */
export async function findPhraseOf(db: Db | Tx, userId: string): Promise<string | null> {
  const [found] = await db
    .select({ phrase: mailPhrases.phrase })
    .from(mailPhrases)
    .where(eq(mailPhrases.userId, userId));
  return found?.phrase ?? null;
}

/** Keeps a person's phrase for all mails from now on; null forgets it. It follows the address when that changes. */
export async function keepPhrase(
  tx: Tx,
  person: { userId: string; recipient: string; phrase: string | null; now: Date },
): Promise<void> {
  const { userId, recipient, phrase, now } = person;
  if (phrase === null) {
    await tx.delete(mailPhrases).where(eq(mailPhrases.userId, userId));
    return;
  }
  const chosen = { phrase, changedAt: now };
  await tx
    .insert(mailPhrases)
    .values({ userId, recipient, ...chosen })
    .onConflictDoUpdate({ target: mailPhrases.userId, set: chosen });
}
