import { and, eq, isNull } from "drizzle-orm";
import { Refusal } from "#core/refusal.ts";
import type { Db, Tx } from "../platform/database.ts";
import { hashPassword } from "./password.ts";
import { credentials, mailedLinks, sessions, users } from "./schema.ts";
import { inspectLink, type UsedLink, useLink } from "./use-link.ts";

/** Links with which somebody who is not signed in sets a password. */
export const passwordLinks: UsedLink["purpose"][] = ["reset-password", "operator-invitation"];

/**
 * Sets a new password for whoever has the link, and ends every session and every other such link of that
 * user. A link that came by mail has shown that the mailbox is his, so the address counts as verified.
 *
 * @throws Refusal `identity/link-used`, `-replaced`, `-expired` or `-unknown`
 */
export async function resetPassword(
  db: Db,
  reset: { token: string; password: string; now: Date },
): Promise<void> {
  const { token, now } = reset;
  const { state } = await inspectLink(db, { token, purposes: passwordLinks, now });
  if (state !== "open") throw new Refusal(`identity/link-${state}`);
  const password = await hashPassword(reset.password);
  await db.transaction(async (tx) => {
    const link = await useLink(tx, { token, purposes: passwordLinks, now });
    await tx
      .update(credentials)
      .set({ password, updatedAt: now })
      .where(and(eq(credentials.userId, link.userId), eq(credentials.providerId, "credential")));
    await tx.delete(sessions).where(eq(sessions.userId, link.userId));
    await tx
      .update(mailedLinks)
      .set({ revokedAt: now })
      .where(
        and(
          eq(mailedLinks.userId, link.userId),
          isNull(mailedLinks.usedAt),
          isNull(mailedLinks.revokedAt),
        ),
      );
    if (link.purpose === "reset-password") await noteVerified(tx, link, now);
  });
}

async function noteVerified(tx: Tx, { userId, email }: UsedLink, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ emailVerified: true, updatedAt: now })
    .where(and(eq(users.id, userId), eq(users.email, email), eq(users.emailVerified, false)));
}
