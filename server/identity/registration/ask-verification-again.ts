import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import {
  type Counted,
  clientNetwork,
  countAttempts,
  wholeSite,
} from "../../platform/rate-limit.ts";
import { users } from "../schema.ts";
import { limits } from "../sign-in/limits.ts";
import { sendVerificationLink } from "./send-verification-link.ts";

/**
 * Mails a fresh verification link to a customer whose address is not verified yet; to others nothing.
 *
 * @throws Busy, TooManyAttempts
 */
export async function askVerificationAgain(
  { db, config }: { db: Db; config: Site },
  request: { userId: string; clientAddress: string; now: Date },
): Promise<{ sent: boolean }> {
  const { userId, clientAddress, now } = request;
  const counted: Counted = [
    [limits.resendByNetwork, clientNetwork(clientAddress)],
    [limits.resendByAccount, userId],
    [limits.resends, wholeSite],
    // Counted by the day, so not for what a busy site has refused.
    [limits.resendByAccountADay, userId],
  ];
  await countAttempts(db, counted, now);
  return db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
    if (!user || user.emailVerified || user.kind !== "customer") return { sent: false };
    const { email, firstName } = user;
    await sendVerificationLink(tx, { userId, email, firstName, site: config, now });
    return { sent: true };
  });
}
