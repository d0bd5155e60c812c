import { inArray } from "#server/platform/sql.ts";
import type { Tx } from "../database.ts";
import { mailKeys, mails } from "../schema.ts";
import type { MailState } from "./mail.ts";

/**
 * Deletes mails because what they hold may be kept no longer. One that still waits never leaves.
 * Answers with what had become of each that is here.
 */
export async function forgetMails(
  tx: Tx,
  mailIds: string[],
): Promise<Array<{ id: string; state: MailState }>> {
  if (mailIds.length === 0) return [];
  const forgotten = await tx
    .delete(mails)
    .where(inArray(mails.id, mailIds))
    .returning({ id: mails.id, state: mails.state });
  await tx.delete(mailKeys).where(inArray(mailKeys.id, mailIds));
  return forgotten;
}
