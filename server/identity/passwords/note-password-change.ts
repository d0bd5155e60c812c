import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { holdMoney } from "../account/hold-money.ts";
import { queueSecurityMail } from "../account/queue-security-mail.ts";
import { endEmailChange } from "../email-change/end-email-change.ts";
import { pendingMfaSessions } from "../schema.ts";

/** What belongs to every changed password: history, a day's hold on the money, a mail, no sign-in and no change of address half done. */
export async function notePasswordChange(
  tx: Tx,
  site: Site,
  by: { userId: string; clientAddress: string | null; userAgent: string | null; now: Date },
): Promise<void> {
  const { userId, clientAddress, userAgent, now } = by;
  await tx.delete(pendingMfaSessions).where(eq(pendingMfaSessions.userId, userId));
  await endEmailChange(tx, userId, "cancelled", now);
  await holdMoney(tx, userId, "password-changed", now);
  const event = { userId, event: "password-changed", by: "self" } as const;
  await recordAccountEvent(tx, { ...event, ipAddress: clientAddress, userAgent, now });
  const news = {
    what: "password-changed",
    sentence: "The password of your account was changed.",
  } as const;
  await queueSecurityMail(tx, { userId, news, site, now });
}
