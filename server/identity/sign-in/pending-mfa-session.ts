import { securityTerms } from "#core/people/security-terms.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, gt, lt, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { hashToken } from "../registration/issue-link.ts";
import { credentials, pendingMfaSessions, users } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { readToken } from "../sessions/session-cookie.ts";

/** Somebody whose password was right and whose second factor is still to come. */
export interface PendingMfaSession {
  id: string;
  userId: string;
  kind: "customer" | "operator";
  email: string;
  /** Of the password that was right. */
  hash: string;
  rememberMe: boolean;
  knownDevice: boolean;
  hasMfa: boolean;
}

const columns = {
  id: pendingMfaSessions.id,
  userId: pendingMfaSessions.userId,
  rememberMe: pendingMfaSessions.rememberMe,
  knownDevice: pendingMfaSessions.knownDevice,
};

/** The pending MFA session that a request came with, or null. Its attempts are not counted by looking. */
export async function findPendingMfaSession(
  { db, auth }: { db: Db; auth: Auth },
  cookieHeader: string,
  now: Date,
): Promise<PendingMfaSession | null> {
  const token = readToken(auth, "half_session", cookieHeader);
  if (!token) return null;
  const [found] = await db
    .select({
      ...columns,
      kind: users.kind,
      email: users.email,
      hash: sql<string>`coalesce(${credentials.password}, '')`,
      hasMfa: sql<boolean>`has_mfa(${users.id})`,
    })
    .from(pendingMfaSessions)
    .innerJoin(users, eq(users.id, pendingMfaSessions.userId))
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .where(
      and(
        eq(pendingMfaSessions.tokenSha256, hashToken(token)),
        gt(pendingMfaSessions.expiresAt, now),
      ),
    );
  return found ?? null;
}

/**
 * Counts one more attempt, for good, before the factor is looked at.
 *
 * @throws Refusal `identity/sign-in-again` after the last one
 */
export async function countMfaAttempt(db: Db, half: PendingMfaSession): Promise<void> {
  const counted = await db
    .update(pendingMfaSessions)
    .set({ attempts: sql`${pendingMfaSessions.attempts} + 1` })
    .where(
      and(
        eq(pendingMfaSessions.id, half.id),
        lt(pendingMfaSessions.attempts, securityTerms.pendingMfaAttempts),
      ),
    )
    .returning({ id: pendingMfaSessions.id });
  if (counted.length === 0) throw new Refusal("identity/sign-in-again");
}
