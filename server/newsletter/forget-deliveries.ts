import { inArray } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { forgetMails } from "../platform/mail/forget-mails.ts";
import { listDeliveryMails } from "./list-delivery-mails.ts";
import { newsletterDeliveries } from "./schema.ts";

/**
 * Deletes the issues' mails to subscribers. Each delivery keeps what became of its mail, so that the history keeps its counts.
 */
export async function forgetDeliveries(tx: Tx, subscriptionIds: string[]): Promise<void> {
  const mails = await listDeliveryMails(tx, subscriptionIds);
  for (const [state, outcome] of outcomes) {
    const mailIds = mails.filter((mail) => mail.state === state).map(({ id }) => id);
    if (mailIds.length === 0) continue;
    await tx
      .update(newsletterDeliveries)
      .set({ outcome })
      .where(inArray(newsletterDeliveries.mailId, mailIds));
    await forgetMails(tx, mailIds);
  }
}

const outcomes = [
  ["sent", "sent"],
  ["failed", "failed"],
  ["queued", "withdrawn"],
] as const;
