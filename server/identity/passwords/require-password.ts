import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { countAttempt, forgetAttempts } from "../../platform/rate-limit.ts";
import { credentials } from "../schema.ts";
import { limits } from "../sign-in/limits.ts";
import { turnOf, verifyInTurn } from "./password.ts";

/**
 * Asks somebody who is signed in for the password once more, before what cannot be taken back easily.
 *
 * @throws Refusal `identity/wrong-password`
 * @throws Busy, uncounted, before the password was looked at
 * @throws TooManyAttempts
 */
export async function requirePassword(
  db: Db,
  asked: { userId: string; password: string; now: Date },
): Promise<void> {
  const { userId, password, now } = asked;
  const { found, isRight } = await verifyInTurn(turnOf(userId), {
    password,
    lookUp: async () => {
      await countAttempt(db, limits.passwordAgainByAccount, userId, now);
      const [credential] = await db
        .select({ hash: credentials.password })
        .from(credentials)
        .where(eq(credentials.userId, userId));
      return credential ?? null;
    },
  });
  if (!found?.hash || !isRight) throw new Refusal("identity/wrong-password");
  await forgetAttempts(db, limits.passwordAgainByAccount, userId);
}
