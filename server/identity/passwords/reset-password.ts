import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { isFrozen } from "../account/is-frozen.ts";
import { inspectLink, type UsedLink, useLink } from "../registration/use-link.ts";
import { credentials, mailedLinks, sessions, users } from "../schema.ts";
import { type PasswordSite, requireNotBreached } from "./breached-passwords.ts";
import { notePasswordChange } from "./note-password-change.ts";
import { hashPassword, turnOf } from "./password.ts";
import { requireUncommonPassword } from "./password-quality.ts";

/** Links with which somebody who is not signed in sets a password. */
export const passwordLinks: UsedLink["purpose"][] = ["reset-password", "operator-invitation"];

/**
 * Sets a new password for whoever has the link, and ends every session and every other such link of that
 * user. A link that came by mail has shown that the mailbox is theirs, so the address counts as verified.
 *
 * @throws Refusal `identity/link-used`, `-replaced`, `-expired` or `-unknown`; `identity/password-too-common`,
 * `-is-a-name` or `-breached`; `identity/account-frozen`
 * @throws Busy, uncounted, while the link still works; and what `count` throws
 */
export async function resetPassword(
  db: Db,
  reset: {
    token: string;
    password: string;
    site: PasswordSite;
    clientAddress?: string;
    userAgent?: string;
    /** Counts the attempt: at once for a link that does not work, else once there is room to hash the password. */
    count?: () => Promise<void>;
    now: Date;
  },
): Promise<void> {
  const { token, site, count, clientAddress = null, userAgent = null, now } = reset;
  const { state, userId, email } = await inspectLink(db, { token, purposes: passwordLinks, now });
  if (state !== "open") {
    await count?.();
    throw new Refusal(`identity/link-${state}`);
  }
  if (userId && (await isFrozen(db, userId))) throw new Refusal("identity/account-frozen");
  const names = await namesOf(db, userId);
  requireUncommonPassword(reset.password, {
    ...names,
    email: email ?? "",
    siteName: site.siteName,
  });
  await requireNotBreached(reset.password, site);
  const password = await hashPassword(reset.password, turnOf(userId ?? token), count);
  await db.transaction(async (tx) => {
    const link = await useLink(tx, { token, purposes: passwordLinks, now });
    await tx
      .update(credentials)
      .set({ password, updatedAt: now })
      .where(eq(credentials.userId, link.userId));
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
    const from = { userId: link.userId, clientAddress, userAgent, now };
    if (link.purpose === "reset-password") {
      await noteVerified(tx, link, now);
      await notePasswordChange(tx, site, from);
    } else {
      const event = { userId: link.userId, event: "password-set", by: "self" } as const;
      await recordAccountEvent(tx, { ...event, ipAddress: clientAddress, userAgent, now });
    }
  });
}

async function namesOf(db: Db, userId: string | null) {
  const [person] = userId
    ? await db
        .select({ firstName: users.firstName, lastName: users.lastName })
        .from(users)
        .where(eq(users.id, userId))
    : [];
  return person ?? { firstName: "", lastName: "" };
}

async function noteVerified(tx: Tx, { userId, email }: UsedLink, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ emailVerified: true, updatedAt: now })
    .where(and(eq(users.id, userId), eq(users.email, email), eq(users.emailVerified, false)));
}
