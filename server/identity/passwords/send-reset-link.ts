import { and, eq, isNotNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { resetMail } from "../mails.ts";
import { issueLink } from "../registration/issue-link.ts";
import { customers, operators, users } from "../schema.ts";

/**
 * Promises a reset link to whoever has this address. Whether anybody does is looked up later, by the job
 * `identity/send-reset-link`, so that the answer and its time are the same for every address.
 */
export async function sendResetLinkLater(tx: Tx | Db, email: string): Promise<void> {
  await enqueue(tx, "identity/send-reset-link", { email: email.toLowerCase() });
}

/** Mails a link that sets a new password, if the address belongs to somebody who may sign in. */
export async function sendResetLink(
  db: Db,
  request: { email: string; site: Site; now: Date },
): Promise<void> {
  const { email, site, now } = request;
  await db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for("update");
    if (!user || (await mayNotEnter(tx, user.id))) return;
    const { url } = await issueLink(tx, {
      userId: user.id,
      email,
      purpose: "reset-password",
      appUrl: site.appUrl,
      now,
    });
    const content = resetMail(site, { firstName: user.firstName, url });
    const mail = { to: email, userId: user.id, now, content };
    await queueMail(tx, { ...mail, countedElsewhere: true });
  });
}

/** Suspended staff, and whoever has closed the account: the way back is another link. */
async function mayNotEnter(tx: Tx, userId: string): Promise<boolean> {
  const suspended = await tx
    .select({ id: operators.id })
    .from(operators)
    .where(and(eq(operators.id, userId), eq(operators.state, "suspended")));
  const closed = await tx
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.id, userId), isNotNull(customers.closedAt)));
  return suspended.length + closed.length > 0;
}
