import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, eq, gt, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { actAsOperator } from "../audit/act-as-operator.ts";
import { staffChanges } from "../schema.ts";
import { carryOutStaffChange, requirePossible } from "./carry-out-staff-change.ts";
import type { Operator } from "./operator.ts";
import { proposalDays, type StaffChange } from "./staff-change.ts";

/**
 * Lets somebody in, suspends, reinstates, or gives another role: at once while there is one owner who can act, and as a
 * proposal as soon as there are two, which another one confirms (`confirmStaffChange`). Of two owners, neither can take from
 * the other one what he is: only he could confirm it. That is for `suspendFromServer`.
 *
 * @throws Refusal `identity/email-taken`, `identity/no-such-operator`, `identity/nothing-to-change`, `identity/last-owner`,
 *   `identity/already-proposed`, `identity/nobody-could-confirm`, and as `actAsOperator` does
 */
export function changeStaff(
  db: Db,
  operator: Operator,
  change: StaffChange,
  { site, now }: { site: Site; now: Date },
): Promise<"done" | "proposed"> {
  return db.transaction(async (tx) => {
    await lockStaff(tx);
    await requirePossible(tx, change);
    const owners = await listOwnersWhoCanAct(tx);
    if (owners.length >= 2) {
      const concerned = change.kind === "invite" ? null : change.operatorId;
      if (owners.every((id) => id === operator.id || id === concerned)) {
        throw new Refusal("identity/nobody-could-confirm");
      }
      await propose(tx, operator, change, now);
      return "proposed";
    }
    await carryOutStaffChange(tx, operator, change, { confirms: null, site, now });
    return "done";
  });
}

/** Changes of staff go one after another; PostgreSQL takes the same lock when an operator's row is written. */
export async function lockStaff(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('operators', 0))`);
}

/** Who could confirm something: who has not set a password yet cannot answer. */
async function listOwnersWhoCanAct(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from owners_who_can_act() owners (id)`,
  );
  return rows.map(({ id }) => id);
}

async function propose(tx: Tx, operator: Operator, change: StaffChange, now: Date): Promise<void> {
  await refuseTwice(tx, change, now);
  const id = randomUUIDv7();
  const { kind } = change;
  const person =
    kind === "invite"
      ? { email: change.email, firstName: change.firstName, lastName: change.lastName }
      : { operatorId: change.operatorId, reason: change.reason };
  const role = "role" in change ? change.role : null;
  const act = {
    act: "identity/propose-staff-change" as const,
    subject: kind === "invite" ? `staff-change:${id}` : `operator:${change.operatorId}`,
    detail: { change: kind, role, reason: "reason" in change ? change.reason : null },
    now,
  };
  await actAsOperator(tx, operator, act, (inner, auditId) =>
    inner.insert(staffChanges).values({
      id,
      kind,
      role,
      ...person,
      proposedBy: operator.id,
      proposedByAct: auditId,
      proposedAt: now,
      expiresAt: new Date(now.getTime() + proposalDays * 86_400_000),
    }),
  );
}

async function refuseTwice(tx: Tx, change: StaffChange, now: Date): Promise<void> {
  const samePerson =
    change.kind === "invite"
      ? eq(staffChanges.email, change.email)
      : eq(staffChanges.operatorId, change.operatorId);
  const isWaiting = and(eq(staffChanges.state, "open"), gt(staffChanges.expiresAt, now));
  const found = await tx
    .select({ id: staffChanges.id })
    .from(staffChanges)
    .where(and(samePerson, isWaiting));
  if (found.length > 0) throw new Refusal("identity/already-proposed");
}
