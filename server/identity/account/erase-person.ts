import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { keepPhrase } from "../../platform/mail/phrase.ts";
import {
  accountEvents,
  credentials,
  customerSettings,
  customers,
  emailChanges,
  freezeLinks,
  mailedLinks,
  mutedNotices,
  passkeyChallenges,
  passkeys,
  pendingMfaSessions,
  recoveryCodes,
  sessions,
  totpSecrets,
  users,
} from "../schema.ts";
import { holdMoney } from "./hold-money.ts";

/** What stands in the place of an address that was erased: no mail can ever go there (RFC 2606). */
export function erasedEmail(userId: string): string {
  return `${userId}@erased.invalid`;
}

const waysIn = [
  credentials,
  sessions,
  pendingMfaSessions,
  totpSecrets,
  recoveryCodes,
  passkeys,
  passkeyChallenges,
  mailedLinks,
  emailChanges,
  freezeLinks,
];

/**
 * Erases what tells who a customer was, in a closed account. What stays is the id, which the ledger and the audit
 * log name, and when what happened to the account.
 */
export async function erasePerson(tx: Tx, userId: string, now: Date): Promise<void> {
  await keepPhrase(tx, { userId, recipient: "", phrase: null, now });
  await tx.delete(customerSettings).where(eq(customerSettings.customerId, userId));
  await tx.delete(mutedNotices).where(eq(mutedNotices.customerId, userId));
  // Ways in that change hold money, also where none is left: PostgreSQL asks for it.
  await holdMoney(tx, userId, "email-changed", now);
  for (const table of waysIn) {
    await tx.delete(table).where(eq(table.userId, userId));
  }
  await tx
    .update(accountEvents)
    .set({ ipAddress: null, userAgent: null, detail: {} })
    .where(eq(accountEvents.userId, userId));
  await tx
    .update(customers)
    .set({ dashboardMessage: "", dashboardMessageExpiresAt: null, erasedAt: now })
    .where(eq(customers.id, userId));
  await tx
    .update(users)
    .set({
      email: erasedEmail(userId),
      firstName: "Former",
      lastName: "customer",
      emailVerified: false,
      updatedAt: now,
    })
    .where(eq(users.id, userId));
}
