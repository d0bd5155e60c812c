import { randomUUIDv7 } from "node:crypto";
import { securityTerms } from "#core/people/security-terms.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNotNull, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { actOnAccount } from "../account/act-on-account.ts";
import { viewedMail } from "../mails.ts";
import { customers, customerViews, users } from "../schema.ts";
import type { ActingOperator } from "../staff/operator.ts";

/**
 * Lets a session of an operator's own read a customer's pages for a quarter of an hour, with a reason that the
 * customer reads at once, in a mail and in the account's history. No session of the customer's comes to be. A view
 * that this session had before ends.
 *
 * @throws Refusal `identity/no-such-customer`, `identity/account-closed`, and as `actAsOperator` does
 */
export async function startView(
  { db, config }: { db: Db; config: Site },
  operator: ActingOperator,
  view: { sessionId: string; customerId: string; reason: string; now: Date },
): Promise<void> {
  const { sessionId, customerId, reason, now } = view;
  const about = { act: "identity/view-as-customer", customerId, reason, now } as const;
  await actOnAccount(db, operator, about, async (tx, auditId) => {
    await requireOpen(tx, customerId);
    await endViews(tx, { sessionId, now });
    await tx.insert(customerViews).values({
      id: randomUUIDv7(),
      operatorId: operator.id,
      sessionId,
      customerId,
      reason,
      actId: auditId,
      startedAt: now,
      endsAt: endOf(now),
    });
    await tell(tx, config, view);
  });
}

/** Ends what this session may see of a customer, if anything. */
export async function endViews(
  db: Db | Tx,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<void> {
  await db
    .update(customerViews)
    .set({ endedAt: now })
    .where(and(eq(customerViews.sessionId, sessionId), isNull(customerViews.endedAt)));
}

function endOf(start: Date): Date {
  return new Date(start.getTime() + securityTerms.customerViewMinutes * 60_000);
}

/** Nobody would read what is told to a closed account. */
async function requireOpen(tx: Tx, customerId: string): Promise<void> {
  const closed = await tx
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.id, customerId), isNotNull(customers.closedAt)));
  if (closed.length > 0) throw new Refusal("identity/account-closed");
}

async function tell(
  tx: Tx,
  site: Site,
  { customerId, reason, now }: { customerId: string; reason: string; now: Date },
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, customerId));
  if (!user) return;
  const content = viewedMail(site, {
    firstName: user.firstName,
    reason,
    from: now,
    to: endOf(now),
  });
  await queueMail(tx, { to: user.email, userId: customerId, now, content });
}
