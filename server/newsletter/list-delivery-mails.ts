import { and, eq, inArray, isNull, lte, or } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import type { MailState } from "../platform/mail/mail.ts";
import { mails } from "../platform/mail/schema.ts";
import { newsletterDeliveries, newsletterMails } from "./schema.ts";

const d = newsletterDeliveries;

/** A subscriber's issues that still wait in the mail queue, and that nobody is sending at this moment. */
export async function listWaitingMails(
  tx: Tx,
  subscriptionId: string,
  now: Date,
): Promise<string[]> {
  const found = await tx
    .select({ id: mails.id })
    .from(d)
    .innerJoin(mails, eq(mails.id, d.mailId))
    .where(
      and(
        eq(d.subscriptionId, subscriptionId),
        eq(mails.state, "queued"),
        or(isNull(mails.sendingUntil), lte(mails.sendingUntil, now)),
      ),
    );
  return found.map(({ id }) => id);
}

/** The mails about these subscriptions themselves. */
export async function listMailsAbout(tx: Tx, subscriptionIds: string[]): Promise<string[]> {
  const found = await tx
    .select({ id: newsletterMails.mailId })
    .from(newsletterMails)
    .where(inArray(newsletterMails.subscriptionId, subscriptionIds));
  return found.map(({ id }) => id);
}

/** The issues that these subscribers were mailed, and where each mail stands. */
export async function listDeliveryMails(
  tx: Tx,
  subscriptionIds: string[],
): Promise<Array<{ id: string; state: MailState }>> {
  return tx
    .select({ id: mails.id, state: mails.state })
    .from(d)
    .innerJoin(mails, eq(mails.id, d.mailId))
    .where(inArray(d.subscriptionId, subscriptionIds));
}
