import { Refusal } from "#core/refusal.ts";
import { eq, inArray } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { forgetMails } from "../platform/mail/forget-mails.ts";
import { listWaitingMails } from "./list-delivery-mails.ts";
import { newsletterDeliveries, newsletterSubscriptions } from "./schema.ts";
import { type EndedBy, isLeavingToken } from "./subscription.ts";

/**
 * Ends a subscription by the link that every issue holds. Issues that still wait in the mail queue do not leave any more. Doing it
 * twice is doing it once.
 *
 * @throws Refusal `newsletter/link-unknown`
 */
export async function endSubscription(
  db: Db,
  { token, by, now }: { token: string; by: EndedBy; now: Date },
): Promise<void> {
  if (!isLeavingToken(token)) throw new Refusal("newsletter/link-unknown");
  await db.transaction(async (tx) => {
    const [subscription] = await tx
      .select({ id: newsletterSubscriptions.id, state: newsletterSubscriptions.state })
      .from(newsletterSubscriptions)
      .where(eq(newsletterSubscriptions.leavingToken, token))
      .for("update");
    if (!subscription) throw new Refusal("newsletter/link-unknown");
    if (subscription.state === "ended") return;
    await tx
      .update(newsletterSubscriptions)
      .set({ state: "ended", endedAt: now, endedBy: by, confirmationSha256: null })
      .where(eq(newsletterSubscriptions.id, subscription.id));
    await withdrawMails(tx, subscription.id, now);
  });
}

async function withdrawMails(tx: Tx, subscriptionId: string, now: Date): Promise<void> {
  const waiting = await listWaitingMails(tx, subscriptionId, now);
  if (waiting.length === 0) return;
  await tx
    .update(newsletterDeliveries)
    .set({ outcome: "withdrawn" })
    .where(inArray(newsletterDeliveries.mailId, waiting));
  await forgetMails(tx, waiting);
}
