import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { endEmailChange } from "../email-change/end-email-change.ts";
import { customers, mailedLinks, pendingMfaSessions, sessions } from "../schema.ts";

/** Shuts an account: every session and every mailed link ends, and none can begin until it is opened again. */
export async function closeAccount(tx: Tx, customerId: string, now: Date): Promise<void> {
  await tx.update(customers).set({ closedAt: now }).where(eq(customers.id, customerId));
  await tx.delete(sessions).where(eq(sessions.userId, customerId));
  await tx.delete(pendingMfaSessions).where(eq(pendingMfaSessions.userId, customerId));
  await endEmailChange(tx, customerId, "cancelled", now);
  const isOpen = and(isNull(mailedLinks.usedAt), isNull(mailedLinks.revokedAt));
  await tx
    .update(mailedLinks)
    .set({ revokedAt: now })
    .where(and(eq(mailedLinks.userId, customerId), isOpen));
}

/** Opens a closed account again, as it was. */
export async function reopenAccount(tx: Tx, customerId: string): Promise<void> {
  await tx.update(customers).set({ closedAt: null }).where(eq(customers.id, customerId));
}
