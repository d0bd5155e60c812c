import { securityTerms } from "#core/people/security-terms.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, gt, lt, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { hashToken } from "../registration/issue-link.ts";
import { credentials, halfSessions, users } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { readToken } from "../sessions/session-cookie.ts";

/** Somebody whose password was right and whose second factor is still to come. */
export interface HalfSession {
  id: string;
  userId: string;
  kind: "customer" | "operator";
  email: string;
  /** Of the password that was right. */
  hash: string;
  rememberMe: boolean;
  knownDevice: boolean;
  hasFactor: boolean;
}

const columns = {
  id: halfSessions.id,
  userId: halfSessions.userId,
  rememberMe: halfSessions.rememberMe,
  knownDevice: halfSessions.knownDevice,
};

/** The half session that a request came with, or null. Its attempts are not counted by looking. */
export async function findHalfSession(
  { db, auth }: { db: Db; auth: Auth },
  cookieHeader: string,
  now: Date,
): Promise<HalfSession | null> {
  const token = readToken(auth, "half_session", cookieHeader);
  if (!token) return null;
  const [found] = await db
    .select({
      ...columns,
      kind: users.kind,
      email: users.email,
      hash: sql<string>`coalesce(${credentials.password}, '')`,
      hasFactor: sql<boolean>`has_second_factor(${users.id})`,
    })
    .from(halfSessions)
    .innerJoin(users, eq(users.id, halfSessions.userId))
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(and(eq(halfSessions.tokenSha256, hashToken(token)), gt(halfSessions.expiresAt, now)));
  return found ?? null;
}

/**
 * Counts one more attempt, for good, before the factor is looked at.
 *
 * @throws Refusal `identity/sign-in-again` after the last one
 */
export async function countFactorAttempt(db: Db, half: HalfSession): Promise<void> {
  const counted = await db
    .update(halfSessions)
    .set({ attempts: sql`${halfSessions.attempts} + 1` })
    .where(
      and(
        eq(halfSessions.id, half.id),
        lt(halfSessions.attempts, securityTerms.halfSessionAttempts),
      ),
    )
    .returning({ id: halfSessions.id });
  if (counted.length === 0) throw new Refusal("identity/sign-in-again");
}
