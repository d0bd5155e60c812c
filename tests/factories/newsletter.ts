import { confirmSubscription } from "#server/newsletter/confirm-subscription.ts";
import { sendConfirmation } from "#server/newsletter/send-confirmation.ts";
import type { Db } from "#server/platform/database.ts";
import { testSite } from "./customer.ts";

let count = 0;

/** Somebody who asked for the newsletter and was mailed the link; `token` is what it holds. */
export async function createTestSubscription(
  db: Db,
  wanted: { email?: string; source?: string; now?: Date } = {},
): Promise<{ email: string; token: string; leavingToken: string; subscriptionId: string }> {
  count += 1;
  const now = wanted.now ?? new Date();
  const email = wanted.email ?? `reader-${process.pid}-${count}@example.com`;
  const wish = {
    email,
    source: wanted.source ?? "/",
    textVersion: 1,
    askedAt: now.toISOString(),
  };
  await sendConfirmation(db, { wish, site: testSite, now });
  const { rows } = await db.$client.query(
    `select s.id, s.leaving_token, m.body_text from newsletter_subscriptions s
       join newsletter_mails n on n.subscription_id = s.id join mails m on m.id = n.mail_id
      where s.email = $1 and s.state <> 'ended' order by m.id desc limit 1`,
    [email],
  );
  const token = /confirm\?token=([\w-]+)/.exec(rows[0].body_text)?.[1] ?? "";
  return { email, token, leavingToken: rows[0].leaving_token, subscriptionId: rows[0].id };
}

/** Somebody who confirmed it, too. */
export async function createTestSubscriber(
  db: Db,
  wanted: { email?: string; source?: string; now?: Date } = {},
) {
  const subscription = await createTestSubscription(db, wanted);
  const { token } = subscription;
  await confirmSubscription(db, { token, now: wanted.now ?? new Date() });
  return subscription;
}
