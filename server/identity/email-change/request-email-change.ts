import { randomBytes, randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import {
  type Counted,
  clientNetwork,
  countAttempts,
  wholeSite,
} from "../../platform/rate-limit.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { addressWantedMail, agreeToLeaveMail, agreeToTakeMail } from "../mails.ts";
import { requirePassword } from "../passwords/require-password.ts";
import { hashToken } from "../registration/issue-link.ts";
import { emailChanges, users } from "../schema.ts";
import type { Browser } from "../settings/settings.ts";
import { limits } from "../sign-in/limits.ts";
import { endEmailChange } from "./end-email-change.ts";

/**
 * Asks for another e-mail address: a link goes to the old one and another to the new one, and nothing changes
 * before both were followed. A change that was asked for before is replaced.
 *
 * When the new address is somebody else's, all looks the same, but its owner is told instead of asked.
 *
 * @throws Refusal `identity/wrong-password`, `identity/email-is-the-same`
 * @throws Busy, TooManyAttempts
 */
export async function requestEmailChange(
  db: Db,
  request: {
    userId: string;
    newEmail: string;
    password: string;
    browser: Browser;
    site: Site;
    now: Date;
  },
): Promise<void> {
  const { userId, browser, site, now } = request;
  const newEmail = request.newEmail.toLowerCase();
  await requirePassword(db, { userId, password: request.password, now });
  const counted: Counted = [
    [limits.emailChangeByNetwork, clientNetwork(browser.ipAddress)],
    [limits.emailChangeByAccount, userId],
    [limits.emailChanges, wholeSite],
    // Counted by the day, so not for what a busy site has refused.
    [limits.emailChangeByAddress, newEmail],
  ];
  await countAttempts(db, counted, now);
  await db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
    if (!user) throw new Error(`no user ${userId}`);
    if (user.email === newEmail) throw new Refusal("identity/email-is-the-same");
    const [owner] = await tx
      .select({ id: users.id, firstName: users.firstName })
      .from(users)
      .where(eq(users.email, newEmail));
    await endEmailChange(tx, userId, "replaced", now);
    const [forOld, forNew] = [newToken(), newToken()];
    await tx.insert(emailChanges).values({
      id: randomUUIDv7(),
      userId,
      oldEmail: user.email,
      newEmail,
      oldTokenSha256: hashToken(forOld),
      newTokenSha256: owner ? null : hashToken(forNew),
      askedAt: now,
      expiresAt: new Date(now.getTime() + terms.verificationLinkHours * 3_600_000),
    });
    const { firstName } = user;
    const named = user.emailVerified ? newEmail : null;
    const letter = { firstName, newEmail: named, url: linkOf(site, forOld) };
    await queueMail(tx, { to: user.email, userId, now, content: agreeToLeaveMail(site, letter) });
    await queueMail(tx, {
      to: newEmail,
      userId: owner?.id ?? userId,
      now,
      content: owner
        ? addressWantedMail(site, owner)
        : agreeToTakeMail(site, { url: linkOf(site, forNew) }),
    });
    await recordAccountEvent(tx, {
      userId,
      event: "email-change-asked",
      by: "self",
      detail: { to: newEmail },
      ...browser,
      now,
    });
  });
}

/** Takes back a change that not both addresses have agreed to yet. Doing it twice is doing it once. */
export async function cancelEmailChange(db: Db, userId: string, now: Date): Promise<void> {
  await db.transaction((tx) => endEmailChange(tx, userId, "cancelled", now));
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function linkOf({ appUrl }: Site, token: string): string {
  return `${appUrl}/change-email?token=${token}`;
}
