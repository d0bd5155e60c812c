import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { countAttempt, forgetAttempts } from "../../platform/rate-limit.ts";
import type { Actor } from "../audit/actor.ts";
import { forgetBegunTotp } from "../mfa/set-up-totp.ts";
import { type MfaResponse, verifyMfa } from "../mfa/verify-mfa.ts";
import { turnOf, verifyInTurn } from "../passwords/password.ts";
import { credentials } from "../schema.ts";
import type { Entrance } from "../sessions/open-session.ts";
import { renewToken } from "../sessions/renew-token.ts";
import { countingCodes } from "../sign-in/count-codes.ts";
import { limits } from "../sign-in/limits.ts";
import type { Proof } from "./proof.ts";

/**
 * Notes that whoever is signed in has just shown the second factor again, or, without one, the password. The session
 * gets a new token: a copy of the one before was not what was shown, and is worth nothing from then on.
 *
 * @returns the cookie to set
 * @throws Refusal `identity/wrong-code`, `identity/passkey-refused`, `identity/wrong-password`
 * @throws Busy, uncounted, before the password was looked at
 * @throws TooManyAttempts
 */
export async function confirmAgain(
  app: { db: Db } & Entrance,
  actor: Actor,
  given: MfaResponse | { password: string },
): Promise<{ cookies: string[] }> {
  const { db, auth } = app;
  const { userId, sessionId, now } = actor;
  const renew = async (tx: Tx, provedBy: Proof) => {
    // A copy of the token may have shown it to a thief.
    await forgetBegunTotp(tx, userId);
    return renewToken(tx, auth, sessionId, { provedBy, provedAt: now });
  };
  if ("password" in given) {
    await requirePassword(db, actor, given.password);
    await forgetAttempts(db, limits.passwordAgainBySession, sessionId);
    return { cookies: [await db.transaction((tx) => renew(tx, "password"))] };
  }
  const cookie = await countingCodes(app, { ...actor, by: { sessionId } }, given, () =>
    db.transaction(async (tx) =>
      renew(tx, await verifyMfa(tx, app, { userId, factor: given, now })),
    ),
  );
  return { cookies: [cookie] };
}

async function requirePassword(
  db: Db,
  { userId, sessionId, now }: Actor,
  password: string,
): Promise<void> {
  const { found, isRight } = await verifyInTurn(turnOf(userId), {
    password,
    lookUp: async () => {
      await countAttempt(db, limits.passwordAgainBySession, sessionId, now);
      const hasMfa = sql<boolean>`has_mfa(${userId})`;
      const [credential] = await db
        .select({ hash: credentials.password, hasMfa })
        .from(credentials)
        .where(eq(credentials.userId, userId));
      return credential ?? null;
    },
  });
  if (!found?.hash || found.hasMfa || !isRight) throw new Refusal("identity/wrong-password");
}
