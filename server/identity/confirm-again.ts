import { Refusal } from "#core/refusal.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { countAttempt, forgetAttempts } from "../platform/rate-limit.ts";
import type { Actor } from "./actor.ts";
import type { Auth } from "./auth.ts";
import { limits } from "./limits.ts";
import { verifyPassword } from "./password.ts";
import { proveSecondFactor, type SecondFactor } from "./prove-second-factor.ts";
import { renewToken } from "./renew-token.ts";
import { credentials } from "./schema.ts";
import { forgetBegunTotp } from "./set-up-totp.ts";

/**
 * Notes that whoever is signed in has just shown the second factor again, or, without one, the password. The session
 * gets a new token: a copy of the one before was not what was shown, and is worth nothing from then on.
 *
 * @returns the cookie to set
 * @throws Refusal `identity/wrong-code`, `identity/passkey-refused`, `identity/wrong-password`
 * @throws TooManyAttempts
 */
export async function confirmAgain(
  { db, auth, config }: { db: Db; auth: Auth; config: Site },
  { userId, sessionId, now }: Actor,
  given: SecondFactor | { password: string },
): Promise<{ cookies: string[] }> {
  const limit = "password" in given ? limits.passwordAgainByAccount : limits.secondFactorByAccount;
  await countAttempt(db, limit, userId, now);
  if ("password" in given) await requirePassword(db, userId, given.password);
  const cookie = await db.transaction(async (tx) => {
    const provedBy =
      "password" in given
        ? "password"
        : await proveSecondFactor(tx, { auth, config }, { userId, factor: given, now });
    // A copy of the token may have shown it to a thief.
    await forgetBegunTotp(tx, userId);
    return renewToken(tx, auth, sessionId, { provedBy, provedAt: now });
  });
  await forgetAttempts(db, limit, userId);
  return { cookies: [cookie] };
}

async function requirePassword(db: Db, userId: string, password: string): Promise<void> {
  const [found] = await db
    .select({ hash: credentials.password, hasFactor: sql<boolean>`has_second_factor(${userId})` })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), eq(credentials.providerId, "credential")));
  if (!found?.hash || found.hasFactor || !(await verifyPassword({ hash: found.hash, password }))) {
    throw new Refusal("identity/wrong-password");
  }
}
