import { randomBytes, randomUUIDv7 } from "node:crypto";
import { securityTerms } from "#core/people/security-terms.ts";
import { eq, sql } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { type SecurityNews, securityMail } from "../mails.ts";
import { hashToken } from "../registration/issue-link.ts";
import { freezeLinks, users } from "../schema.ts";

/**
 * Tells the owner of an account that a way into it has changed, or was used from a new browser. The mail
 * carries a link that freezes the account at once. `oldEmail` is for the address that was the account's until now: the mail goes
 * there, with the phrase by which its reader knows our mails.
 */
export async function queueSecurityMail(
  tx: Tx,
  mail: { userId: string; news: SecurityNews; oldEmail?: string; site: Site; now: Date },
): Promise<void> {
  const { userId, news, site, now } = mail;
  const [user] = await tx
    .select({
      email: users.email,
      firstName: users.firstName,
      kind: users.kind,
      isKnown: sql<boolean>`greets_by_name(${users.email})`,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) return;
  const { url } = await issueFreezeLink(tx, { userId, appUrl: site.appUrl, now });
  const facts = [...(news.facts ?? []), ...(user.isKnown ? (news.ownWords ?? []) : [])];
  const told = { ...news, facts };
  const { firstName, kind } = user;
  const isStaff = kind === "operator";
  const content = securityMail(site, { firstName, isStaff, url, news: told, now });
  const to = mail.oldEmail ? { to: mail.oldEmail, formerly: true as const } : { to: user.email };
  await queueMail(tx, { ...to, userId, now, content });
}

/**
 * Makes a link that freezes the account without signing in. Newer ones leave older ones alone, and so does a
 * new password: whoever has taken an account over must not be able to end them.
 */
async function issueFreezeLink(
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
