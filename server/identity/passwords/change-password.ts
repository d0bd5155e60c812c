import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull, ne } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { countAttempt, forgetAttempts } from "../../platform/rate-limit.ts";
import type { Actor } from "../audit/actor.ts";
import { credentials, mailedLinks, sessions, users } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { renewToken } from "../sessions/renew-token.ts";
import { limits } from "../sign-in/limits.ts";
import { type PasswordSite, requireNotBreached } from "./breached-passwords.ts";
import { notePasswordChange } from "./note-password-change.ts";
import { hashPassword, turnOf, verifyInTurn } from "./password.ts";
import { requireUncommonPassword } from "./password-quality.ts";

/**
 * Replaces the password of who is signed in and knows the current one. Every other session ends, this one gets a new
 * token, and links that would set another password end.
 *
 * @returns the cookies to set
 * @throws Refusal `identity/wrong-password`, `identity/password-too-common`, `-is-a-name` or `-breached`
 * @throws Busy, uncounted, before anything was changed
 * @throws TooManyAttempts
 */
export async function changePassword(
  { db, auth, config }: { db: Db; auth: Auth; config: PasswordSite },
  actor: Actor,
  wanted: { current: string; password: string },
): Promise<{ cookies: string[] }> {
  const { userId, sessionId, now } = actor;
  const own = eq(credentials.userId, userId);
  const { found: person, isRight } = await verifyInTurn(turnOf(userId), {
    password: wanted.current,
    lookUp: async () => {
      await countAttempt(db, limits.passwordAgainBySession, sessionId, now);
      const [found] = await db
        .select({
          email: users.email,
          firstName: users.firstName,
          lastName: users.lastName,
          hash: credentials.password,
        })
        .from(users)
        .innerJoin(credentials, own)
        .where(eq(users.id, userId));
      return found ?? null;
    },
  });
  if (!person?.hash || !isRight) throw new Refusal("identity/wrong-password");
  // The new one may be refused, or find no room: who knows the present one has guessed nothing.
  await forgetAttempts(db, limits.passwordAgainBySession, sessionId);
  const { email, firstName, lastName } = person;
  const names = { email, firstName, lastName };
  requireUncommonPassword(wanted.password, { ...names, siteName: config.siteName });
  await requireNotBreached(wanted.password, config);
  const password = await hashPassword(wanted.password, turnOf(userId));
  const cookie = await db.transaction(async (tx) => {
    const changed = await tx
      .update(credentials)
      .set({ password, updatedAt: now })
      .where(and(own, eq(credentials.password, person.hash ?? "")))
      .returning({ id: credentials.userId });
    // Somebody changed it meanwhile.
    if (changed.length === 0) throw new Refusal("identity/wrong-password");
    await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId)));
    await tx
      .update(mailedLinks)
      .set({ revokedAt: now })
      .where(
        and(
          eq(mailedLinks.userId, userId),
          eq(mailedLinks.purpose, "reset-password"),
          isNull(mailedLinks.usedAt),
          isNull(mailedLinks.revokedAt),
        ),
      );
    await notePasswordChange(tx, config, actor);
    return renewToken(tx, auth, sessionId, null);
  });
  return { cookies: [cookie] };
}
