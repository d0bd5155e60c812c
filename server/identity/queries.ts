import { browserName } from "#core/people/browser-name.ts";
import type { OperatorRole, Permission } from "#core/permissions.ts";
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  max,
  sql,
} from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Customer } from "./account/customer.ts";
import { isOpen } from "./account/is-open.ts";
import {
  accountEvents,
  accountFreezes,
  auditLog,
  customers,
  customerViews,
  moneyHolds,
  operators,
  passkeys,
  recoveryCodes,
  sessions,
  totpSecrets,
  users,
} from "./schema.ts";
import type { View } from "./sessions/person-context.ts";

/** Whether anybody can sign in to the console. */
export async function hasOperator(db: Db): Promise<boolean> {
  const found = await db
    .select({ id: operators.id })
    .from(operators)
    .where(eq(operators.state, "active"))
    .limit(1);
  return found.length > 0;
}

/** How many owners there are who have not been suspended. */
export async function countOwners(db: Db): Promise<number> {
  const [owners] = await db
    .select({ count: count() })
    .from(operators)
    .where(and(eq(operators.role, "owner"), eq(operators.state, "active")));
  return owners?.count ?? 0;
}

/** The customer with this id, or null. */
export async function findCustomer(db: Db | Tx, id: string): Promise<Customer | null> {
  const [customer] = await selectCustomer(db, { id });
  return customer ?? null;
}

const selectCustomer = prepared((db) =>
  db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      emailVerified: users.emailVerified,
      createdAt: customers.createdAt,
    })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.id))
    .where(eq(customers.id, sql.placeholder("id")))
    .prepare("identity_customer"),
);

/** The operator with this id unless suspended, or null. */
export async function findActiveOperator(
  db: Db,
  id: string,
): Promise<{
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: OperatorRole;
} | null> {
  const [operator] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      role: operators.role,
    })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.id))
    .where(and(eq(operators.id, id), eq(operators.state, "active")));
  return operator ?? null;
}

/** Whether the account is frozen: nobody signs in, nothing changes, nothing leaves. */
export async function isFrozen(db: Db | Tx, userId: string): Promise<boolean> {
  const open = await db
    .select({ id: accountFreezes.id })
    .from(accountFreezes)
    .where(and(eq(accountFreezes.userId, userId), isNull(accountFreezes.liftedAt)));
  return open.length > 0;
}

/** Which second factors somebody can be asked for. */
export async function getFactorKinds(
  db: Db,
  userId: string,
): Promise<{ hasApp: boolean; hasPasskey: boolean }> {
  const { rows } = await db.execute<{ hasApp: boolean; hasPasskey: boolean }>(sql`
    select
      exists (select from ${totpSecrets}
        where user_id = ${userId} and confirmed_at is not null) as "hasApp",
      exists (select from ${passkeys} where user_id = ${userId}) as "hasPasskey"`);
  return rows[0] ?? { hasApp: false, hasPasskey: false };
}

/** What of an account's safety its owner should know before anything else. */
export async function getSecurityNeeds(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ hasFactor: boolean; moneyHeldUntil: Date | null }> {
  const [found] = await selectSecurityNeeds(db, { userId, now: now.toISOString() });
  return { hasFactor: found?.hasFactor ?? false, moneyHeldUntil: found?.moneyHeldUntil ?? null };
}

const selectSecurityNeeds = prepared((db) =>
  db
    .select({
      hasFactor: sql<boolean>`has_second_factor(${users.id})`,
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

export interface HistoryEntry {
  id: string;
  /** The event's name, or, of staff, the act's: `deposits/approve`. */
  what: string;
  by: "self" | "staff" | "system";
  /** Only what the account's owner may read. */
  detail: Record<string, unknown>;
  browser: string | null;
  ipAddress: string | null;
  occurredAt: Date;
}

/** The acts whose form tells staff that the customer reads the reason. */
const reasonsForTheCustomer: Permission[] = [
  "identity/freeze-account",
  "identity/unfreeze-account",
  "identity/reset-second-factors",
  "identity/view-as-customer",
  "deposits/reject",
  "adjustments/approve",
];

/**
 * Work among staff, which changes nothing of the customer's: it does not stand in the history that he reads. What staff
 * wrote comes with the copy of his data: server/personal-data.
 */
const actsAmongStaff: Permission[] = [
  "staff-notes/write-note",
  "staff-notes/raise-flag",
  "staff-notes/lift-flag",
  "adjustments/propose",
  "adjustments/withdraw",
  "adjustments/reject",
  "adjustments/view-evidence",
];

/**
 * Everything done to an account, newest first: by its owner, by the system, and by staff out of the audit log. Of an
 * act's details only a reason that was written for the customer is shown: the rest may speak of others.
 */
export async function listAccountHistory(
  db: Db,
  userId: string,
  page: { page: number; show: number },
): Promise<{ entries: HistoryEntry[]; total: number }> {
  const everything = sql`(
    select id, event as what, by, detail, ip_address, user_agent, occurred_at, position
      from ${accountEvents} where user_id = ${userId}
    union all
    select id, act, case when operator_id is null then 'system' else 'staff' end,
        case when act in ${reasonsForTheCustomer} then jsonb_build_object('reason', detail -> 'reason') else '{}' end,
        null, null, occurred_at, position
      from ${auditLog} where customer_id = ${userId} and act not in ${actsAmongStaff}
  )`;
  const { rows } = await db.execute<{
    id: string;
    what: string;
    by: HistoryEntry["by"];
    detail: Record<string, unknown>;
    ip_address: string | null;
    user_agent: string | null;
    occurred_at: string | Date;
  }>(sql`select * from ${everything} as done
    order by occurred_at desc, position desc
    limit ${page.show} offset ${(page.page - 1) * page.show}`);
  const counted = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from ${everything} as done`,
  );
  return {
    total: counted.rows[0]?.total ?? 0,
    entries: rows.map((row) => ({
      id: row.id,
      what: row.what,
      by: row.by,
      detail: row.detail,
      browser: row.user_agent === null ? null : browserName(row.user_agent),
      ipAddress: row.ip_address,
      occurredAt: new Date(row.occurred_at),
    })),
  };
}

/** How an account stands, for staff: frozen or not, since when and why, and what guards it. */
export async function getAccess(db: Db, userId: string, now: Date) {
  const facts = await getSecurityFacts(db, userId, now);
  const [freeze] = await db
    .select({
      by: accountFreezes.by,
      reason: accountFreezes.reason,
      frozenAt: accountFreezes.frozenAt,
    })
    .from(accountFreezes)
    .where(and(eq(accountFreezes.userId, userId), isNull(accountFreezes.liftedAt)));
  return { ...facts, freeze: freeze ?? null };
}

/** The view that is open for a session of an operator's, or null. */
export async function findOpenView(
  db: Db,
  { operatorId, sessionId }: { operatorId: string; sessionId: string },
): Promise<View | null> {
  const [view] = await db
    .select({
      id: customerViews.id,
      customerId: customerViews.customerId,
      reason: customerViews.reason,
      endsAt: customerViews.endsAt,
    })
    .from(customerViews)
    .where(
      and(
        eq(customerViews.sessionId, sessionId),
        eq(customerViews.operatorId, operatorId),
        isNull(customerViews.endedAt),
        gt(customerViews.endsAt, sql`now()`),
      ),
    );
  return view ?? null;
}

/** When staff looked at an account as its customer sees it, who and why; newest first. */
export function listViews(db: Db, customerId: string, limit: number) {
  return db
    .select({
      id: customerViews.id,
      operatorName: sql<string>`coalesce(${users.name}, '')`,
      reason: customerViews.reason,
      startedAt: customerViews.startedAt,
      endsAt: customerViews.endsAt,
      endedAt: customerViews.endedAt,
    })
    .from(customerViews)
    .innerJoin(users, eq(users.id, customerViews.operatorId))
    .where(eq(customerViews.customerId, customerId))
    .orderBy(desc(customerViews.startedAt))
    .limit(limit);
}
