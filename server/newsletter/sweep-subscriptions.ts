import { retention } from "#core/retention.ts";
import { and, eq, inArray, isNotNull, lt } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { forgetMails } from "../platform/mail/forget-mails.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";
import { listMailsAbout, listSendingIssues } from "./queries.ts";
import { newsletterSubscriptions } from "./schema.ts";
import { sendBatchLater } from "./send-batch.ts";

const dayMs = 86_400_000;
/** So that one transaction stays short. */
const atOnce = 200;

const s = newsletterSubscriptions;

/**
 * Deletes what nobody confirmed, forgets the addresses of who left, both with the mails that hold them (see `retention`), and sets an
 * issue going again whose job was given up.
 */
export async function sweepSubscriptions(db: Db, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await inParts(db, (tx) => deleteUnconfirmed(tx, ago(retention.unconfirmedSubscriptionDays)));
  await inParts(db, (tx) => forgetWhoLeft(tx, ago(retention.endedSubscriptionDays)));
  for (const issueId of await listSendingIssues(db)) await sendBatchLater(db, issueId);
}

async function inParts(db: Db, part: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await db.transaction(part)) === atOnce);
}

async function deleteUnconfirmed(tx: Tx, before: Date): Promise<number> {
  const unconfirmed = await tx
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.state, "pending"), lt(s.confirmationExpiresAt, before)))
    .limit(atOnce)
    .for("update", { skipLocked: true });
  const ids = unconfirmed.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await forgetMails(tx, await listMailsAbout(tx, ids));
  await tx.delete(s).where(inArray(s.id, ids));
  return ids.length;
}

/** What stays is when and how somebody agreed and left, without a name. */
async function forgetWhoLeft(tx: Tx, before: Date): Promise<number> {
  const left = await tx
    .select({ id: s.id })
    .from(s)
    .where(and(eq(s.state, "ended"), isNotNull(s.email), lt(s.endedAt, before)))
    .limit(atOnce)
    .for("update", { skipLocked: true });
  const ids = left.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await forgetMails(tx, await listMailsAbout(tx, ids));
  await forgetDeliveries(tx, ids);
  await tx.update(s).set({ email: null }).where(inArray(s.id, ids));
  return ids.length;
}
