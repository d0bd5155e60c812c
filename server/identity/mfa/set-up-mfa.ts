import { Refusal } from "#core/refusal.ts";
import type { Db } from "../../platform/database.ts";
import { countAttempt } from "../../platform/rate-limit.ts";
import type { Entrance } from "../sessions/open-session.ts";
import type { SignedInUser } from "../sessions/signed-in-user.ts";
import { limits } from "../sign-in/limits.ts";
import { completeSignIn, requirePendingMfaSession, type Visitor } from "../sign-in/pass-mfa.ts";
import { noteMfaChange } from "./note-mfa-change.ts";
import { confirmTotp } from "./set-up-totp.ts";

/**
 * Completes the first sign-in of a member of staff by setting up an authenticator app: without a second factor staff
 * get no session. Attempts are not those of a pending MFA session: nothing is guessed by somebody who has the secret
 * before him.
 *
 * @throws Refusal `identity/wrong-code`, `identity/set-up-again`, `identity/sign-in-again`
 * @throws TooManyAttempts
 */
export async function setUpMfa(
  app: { db: Db } & Entrance,
  visitor: Visitor,
  code: string,
): Promise<{ user: SignedInUser; cookies: string[] }> {
  const { now } = visitor;
  const half = await requirePendingMfaSession(app, visitor);
  const { userId } = half;
  if (half.hasMfa) throw new Refusal("identity/sign-in-again");
  await countAttempt(app.db, limits.codesOfNewApp, half.id, now);
  return app.db.transaction(async (tx) => {
    await confirmTotp(tx, app.auth, { userId, begunIn: half.id, code, now });
    const change = {
      event: "authenticator-added",
      sentence: "An authenticator app was added.",
    } as const;
    await noteMfaChange(tx, app.config, { ...visitor, userId }, change);
    return completeSignIn(tx, app, visitor, half, "totp");
  });
}
