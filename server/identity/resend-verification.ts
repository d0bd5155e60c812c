import { eq } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { users } from "./schema.ts";
import { sendVerificationLink } from "./send-verification-link.ts";

/** Mails a fresh verification link to a user whose address is not verified yet; to others nothing. */
export async function resendVerification(
  db: Db,
  to: { userId: string; site: Site; now: Date },
): Promise<{ sent: boolean }> {
  return db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, to.userId)).for("update");
    if (!user || user.emailVerified) return { sent: false };
    await sendVerificationLink(tx, { ...to, email: user.email, firstName: user.firstName });
    return { sent: true };
  });
}
