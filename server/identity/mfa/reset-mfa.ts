import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { actOnAccount } from "../account/act-on-account.ts";
import { holdMoney } from "../account/hold-money.ts";
import { queueSecurityMail } from "../account/queue-security-mail.ts";
import { passkeys, pendingMfaSessions, recoveryCodes, sessions, totpSecrets } from "../schema.ts";
import type { ActingOperator } from "../staff/operator.ts";

/**
 * Takes every second factor from a customer who has lost them, after staff have made sure who asks. The customer is
 * signed out everywhere, reads the reason in a mail, and signs in by the password alone.
 *
 * @throws Refusal `identity/no-such-customer`, `identity/no-factors`, `identity/operator-not-active`
 */
export async function resetMfaAsOperator(
  { db, config }: { db: Db; config: Site },
  operator: ActingOperator,
  { customerId, reason, now }: { customerId: string; reason: string; now: Date },
): Promise<void> {
  const about = { act: "identity/reset-mfa", customerId, reason, now } as const;
  await actOnAccount(db, operator, about, (tx) =>
    resetMfa(tx, config, { userId: customerId, reason, now }),
  );
}

/** @throws Refusal `identity/no-factors` */
export async function resetMfa(
  tx: Tx,
  site: Site,
  { userId, reason, now }: { userId: string; reason: string; now: Date },
): Promise<void> {
  const apps = await tx.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning();
  const keys = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning();
  if (apps.length + keys.length === 0) throw new Refusal("identity/no-factors");
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx.delete(pendingMfaSessions).where(eq(pendingMfaSessions.userId, userId));
  await holdMoney(tx, userId, "mfa-changed", now);
  const sentence = `Our staff have removed every second factor from your account. Why: ${reason}`;
  await queueSecurityMail(tx, {
    userId,
    news: { what: "mfa-changed", sentence },
    site,
    now,
  });
}
