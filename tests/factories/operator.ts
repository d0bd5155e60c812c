import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { OperatorRole } from "#core/permissions.ts";
import { credentials } from "#server/identity/schema.ts";
import { createOperator } from "#server/identity/staff/create-operator.ts";
import { findActiveOperator } from "#server/identity/staff/find-operator.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { testSite } from "./customer.ts";

let count = 0;

/** Tests choose their own moments: at all of them the second factor was shown just now. */
const alwaysFresh = new Date("9999-12-31T00:00:00Z");

/**
 * An operator as the command makes one; without a password until a test sets it by `invitationUrl`. `canAct`: as if a
 * password had been set, so that this person counts where two people decide.
 */
export async function createTestOperator(
  db: Db,
  wanted: {
    email?: string;
    firstName?: string;
    lastName?: string;
    role?: OperatorRole;
    now?: Date;
    canAct?: boolean;
  } = {},
): Promise<Operator & { invitationUrl: string }> {
  count += 1;
  const { operatorId, url } = await createOperator(db, {
    email: wanted.email ?? `operator-${process.pid}-${count}@example.com`,
    firstName: wanted.firstName ?? "Grace",
    lastName: wanted.lastName ?? "Hopper",
    role: wanted.role ?? "owner",
    appUrl: testSite.appUrl,
    now: wanted.now ?? new Date(),
  });
  if (wanted.canAct) {
    const password = "$argon2id$v=19$m=1$test";
    await db.update(credentials).set({ password }).where(eq(credentials.userId, operatorId));
  }
  const operator = await findActiveOperator(db, operatorId);
  if (!operator) throw new Error("the operator just created is not there");
  return { ...operator, requestId: null, provedAt: alwaysFresh, invitationUrl: url };
}

/** An act on the server, for rows that a test writes by itself: PostgreSQL compares its name and subject. */
export async function actOnServer(owner: pg.Pool, act: string, subject: string): Promise<string> {
  const id = randomUUID();
  await owner.query(
    "insert into audit_log (id, act, subject, detail, occurred_at) values ($1, $2, $3, '{}', now())",
    [id, act, subject],
  );
  return id;
}

/** Suspends somebody, or gives another role, by an act on the server that says so. */
export async function changeTestOperator(
  owner: pg.Pool,
  operatorId: string,
  to: { state: "suspended" } | { role: OperatorRole },
): Promise<void> {
  const id = randomUUID();
  const [act, column] =
    "role" in to ? (["change-role", "role"] as const) : (["suspend-operator", "state"] as const);
  await owner.query(
    `insert into audit_log (id, act, subject, detail, occurred_at)
     values ($1, 'identity/' || $2::text, 'operator:' || $3::text, $4, now())`,
    [id, act, operatorId, to],
  );
  await owner.query(`update operators set ${column} = $1, changed_by_act = $2 where id = $3`, [
    "role" in to ? to.role : to.state,
    id,
    operatorId,
  ]);
}
