import { randomBytes, randomUUIDv7 } from "node:crypto";
import { securityTerms } from "#core/people/security-terms.ts";
import type { Tx } from "../../platform/database.ts";
import { hashToken } from "../registration/issue-link.ts";
import { freezeLinks } from "../schema.ts";

/**
 * Makes a link that freezes the account without signing in. Newer ones leave older ones alone, and so does a
 * new password: whoever has taken an account over must not be able to end them.
 */
export async function issueFreezeLink(
  tx: Tx,
  link: { userId: string; appUrl: string; now: Date },
): Promise<{ url: string }> {
  const { userId, appUrl, now } = link;
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + securityTerms.freezeLinkDays * 86_400_000);
  await tx.insert(freezeLinks).values({
    id: randomUUIDv7(),
    userId,
    tokenSha256: hashToken(token),
    createdAt: now,
    expiresAt,
  });
  return { url: `${appUrl}/freeze?token=${token}` };
}
