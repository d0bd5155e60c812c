import { browserName } from "#core/people/browser-name.ts";
import { and, asc, desc, eq, gt, isNotNull, isNull, max, sql } from "#server/platform/sql.ts";
import { prepared } from "../../platform/database/prepared.ts";
import type { Db } from "../../platform/database.ts";
import {
  accountEvents,
  accountFreezes,
  moneyHolds,
  passkeys,
  recoveryCodes,
  sessions,
  totpSecrets,
  users,
} from "../schema.ts";
import { isOpen } from "./is-open.ts";

/** What of an account's safety its owner should know before anything else. */
export async function getSecurityNeeds(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ hasMfa: boolean; moneyHeldUntil: Date | null }> {
  const [found] = await selectSecurityNeeds(db, { userId, now: now.toISOString() });
  return { hasMfa: found?.hasMfa ?? false, moneyHeldUntil: found?.moneyHeldUntil ?? null };
}

const selectSecurityNeeds = prepared((db) =>
  db
    .select({
      hasMfa: sql<boolean>`has_mfa(${users.id})`,
      moneyHeldUntil:
        sql<Date | null>`money_held_until(${users.id}, ${sql.placeholder("now")})`.mapWith(
          moneyHolds.endsAt,
        ),
    })
    .from(users)
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare("identity_security_needs"),
);

export interface SecurityFacts {
  email: string;
  authenticatorSince: Date | null;
  passkeys: Array<{ id: string; name: string; createdAt: Date; lastUsedAt: Date | null }>;
  recoveryCodesLeft: number;
  /** Newest first. */
  sessions: Array<{
    id: string;
    browser: string;
    ipAddress: string | null;
    createdAt: Date;
    lastUsedAt: Date;
    expiresAt: Date;
  }>;
  passwordChangedAt: Date | null;
  /** Until when money cannot leave after a change; null when it can. */
  moneyHeldUntil: Date | null;
}

/** What the security page shows of somebody's own account. */
export async function getSecurityFacts(db: Db, userId: string, now: Date): Promise<SecurityFacts> {
  const [[user], [app], keys, codes, open, [change], [held]] = await Promise.all([
    db.select({ email: users.email }).from(users).where(eq(users.id, userId)),
    db
      .select({ since: totpSecrets.confirmedAt })
      .from(totpSecrets)
      .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt))),
    db
      .select({
        id: passkeys.id,
        name: passkeys.name,
        createdAt: passkeys.createdAt,
        lastUsedAt: passkeys.lastUsedAt,
      })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(asc(passkeys.createdAt)),
    db
      .select({ id: recoveryCodes.id })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
    db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isOpen(now)))
      .orderBy(desc(sessions.createdAt))
      .limit(100),
    db
      .select({ at: max(accountEvents.occurredAt) })
      .from(accountEvents)
      .where(and(eq(accountEvents.userId, userId), eq(accountEvents.event, "password-changed"))),
    db
      .select({ until: max(moneyHolds.endsAt) })
      .from(moneyHolds)
      .where(and(eq(moneyHolds.userId, userId), gt(moneyHolds.endsAt, now))),
  ]);
  return {
    email: user?.email ?? "",
    authenticatorSince: app?.since ?? null,
    passkeys: keys,
    recoveryCodesLeft: codes.length,
    sessions: open.map(({ id, userAgent, ipAddress, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      browser: browserName(userAgent),
      ipAddress,
      createdAt,
      lastUsedAt,
      expiresAt,
    })),
    passwordChangedAt: change?.at ?? null,
    moneyHeldUntil: held?.until ?? null,
  };
}

/** How an account stands, for staff: frozen or not, since when and why, and what guards it. */
export async function getAccess(db: Db, userId: string, now: Date) {
  const facts = await getSecurityFacts(db, userId, now);
  const [freeze] = await db
    .select({
      id: accountFreezes.id,
      by: accountFreezes.by,
      reason: accountFreezes.reason,
      frozenAt: accountFreezes.frozenAt,
    })
    .from(accountFreezes)
    .where(and(eq(accountFreezes.userId, userId), isNull(accountFreezes.liftedAt)));
  return { ...facts, freeze: freeze ?? null };
}
