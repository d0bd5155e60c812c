import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Tx } from "../database.ts";
import { enqueue } from "../jobs/jobs.ts";
import { mails } from "../schema.ts";
import { sendJobAttempts } from "./mail.ts";

/**
 * Tries a mail again that was given up, from the beginning. `auditId` is the row of the staff act.
 *
 * @throws Refusal `mail/not-failed`
 */
export async function resendMail(tx: Tx, mail: { mailId: string; auditId: string }): Promise<void> {
  const { mailId, auditId } = mail;
  const [again] = await tx
    .update(mails)
    .set({ state: "queued", attempts: 0, resentByAct: auditId })
    .where(and(eq(mails.id, mailId), eq(mails.state, "failed")))
    .returning({ id: mails.id });
  if (!again) throw new Refusal("mail/not-failed");
  await enqueue(
    tx,
    "mail/send",
    { mailId },
    { key: `mail:${mailId}`, maxAttempts: sendJobAttempts },
  );
}
