import { createHash, randomBytes, randomUUIDv7 } from "node:crypto";
import { terms } from "#core/terms.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { mailedLinks } from "../schema.ts";

export type LinkPurpose = typeof mailedLinks.$inferSelect.purpose;

const minutesValid: Record<LinkPurpose, number> = {
  "verify-email": terms.verificationLinkHours * 60,
  "reset-password": terms.resetLinkMinutes,
  "operator-invitation": terms.operatorInvitationHours * 60,
};

/** The page behind a link of each purpose. */
const pages: Record<LinkPurpose, string> = {
  "verify-email": "/verify-email",
  "reset-password": "/resetpassword",
  "operator-invitation": "/resetpassword",
};

/**
 * Makes a link that works once and for a limited time, and ends older ones of the same purpose.
 * Only the hash of its token is kept, so the database cannot be read for working links.
 */
export async function issueLink(
  tx: Tx,
  link: { userId: string; email: string; purpose: LinkPurpose; appUrl: string; now: Date },
): Promise<{ url: string; expiresAt: Date }> {
  const { userId, email, purpose, now } = link;
  await tx
    .update(mailedLinks)
    .set({ revokedAt: now })
    .where(
      and(
        eq(mailedLinks.userId, userId),
        eq(mailedLinks.purpose, purpose),
        isNull(mailedLinks.usedAt),
        isNull(mailedLinks.revokedAt),
      ),
    );
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + minutesValid[purpose] * 60_000);
  const times = { createdAt: now, expiresAt };
  await tx.insert(mailedLinks).values({
    id: randomUUIDv7(),
    userId,
    purpose,
    email,
    tokenSha256: hashToken(token),
    ...times,
  });
  return { url: `${link.appUrl}${pages[purpose]}?token=${token}`, expiresAt };
}

/** What is kept of a token. 256 random bits need no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
