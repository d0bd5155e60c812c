import { randomUUIDv7 } from "node:crypto";
import { securityTerms } from "#core/people/security-terms.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { moneyHolds, users } from "../schema.ts";

/** Why money stays for a day. */
type HoldReason = "password-changed" | "email-changed" | "mfa-changed" | "account-unfrozen";

/**
 * Keeps a customer's money from leaving for a day. Called in the transaction of every change of password,
 * e-mail address or second factor. The user's row is locked, so that a withdrawal under way at the same
 * moment comes wholly before it or wholly after.
 */
export async function holdMoney(
  tx: Tx,
  userId: string,
  reason: HoldReason,
  now: Date,
): Promise<{ endsAt: Date }> {
  const endsAt = new Date(now.getTime() + securityTerms.changeHoldHours * 3_600_000);
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  await tx.insert(moneyHolds).values({ id: randomUUIDv7(), userId, reason, startsAt: now, endsAt });
  return { endsAt };
}
