import type { OperatorRole } from "#core/permissions.ts";
import { and, asc, desc, eq, gt, ne, or, type SQL, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import type { Db } from "../../platform/database.ts";
import { auditLog, staffChanges, users } from "../schema.ts";
import type { StaffChangeKind, StaffChangeState } from "./staff-change.ts";

export interface ListedStaffChange {
  id: string;
  kind: StaffChangeKind;
  /** Null: an invitation. */
  operatorId: string | null;
  /** Whom it concerns. */
  name: string;
  email: string;
  role: OperatorRole | null;
  reason: string;
  proposedBy: { id: string; name: string };
  proposedAt: Date;
  expiresAt: Date;
  /** An open one whose time is over is expired. */
  state: StaffChangeState | "expired";
  decidedBy: string | null;
  decidedAt: Date | null;
  /** What ended it, unless somebody decided it: what was done, and whether to who had proposed it or to whom it concerned. */
  endedBy: { act: string; who: "proposer" | "concerned" } | null;
}

/** The proposals that wait, oldest first: ids are UUIDv7 and grow with time. */
export function listOpenStaffChanges(db: Db, now: Date): Promise<ListedStaffChange[]> {
  const waits = and(eq(staffChanges.state, "open"), gt(staffChanges.expiresAt, now));
  return readChanges(db, waits, asc(staffChanges.id), now, 100);
}

/** The newest that were decided or expired. */
export function listPastStaffChanges(db: Db, now: Date): Promise<ListedStaffChange[]> {
  const isPast = or(ne(staffChanges.state, "open"), sql`${staffChanges.expiresAt} <= ${now}`);
  return readChanges(db, isPast, desc(staffChanges.id), now, 10);
}

const persons = alias(users, "persons");

const proposers = alias(users, "proposers");

const deciders = alias(users, "deciders");

async function readChanges(
  db: Db,
  wanted: SQL | undefined,
  order: SQL,
  now: Date,
  limit: number,
): Promise<ListedStaffChange[]> {
  const rows = await db
    .select({
      change: staffChanges,
      personName: persons.name,
      personEmail: persons.email,
      proposerName: proposers.name,
      deciderName: deciders.name,
      endingAct: auditLog.act,
      endingSubject: auditLog.subject,
    })
    .from(staffChanges)
    .innerJoin(proposers, eq(proposers.id, staffChanges.proposedBy))
    .leftJoin(persons, eq(persons.id, staffChanges.operatorId))
    .leftJoin(deciders, eq(deciders.id, staffChanges.decidedBy))
    .leftJoin(auditLog, eq(auditLog.id, staffChanges.endedByAct))
    .where(wanted)
    .orderBy(order)
    .limit(limit);
  return rows.map(({ change, personName, personEmail, proposerName, deciderName, ...ending }) => ({
    id: change.id,
    kind: change.kind,
    operatorId: change.operatorId,
    name: personName ?? `${change.firstName} ${change.lastName}`,
    email: personEmail ?? change.email ?? "",
    role: change.role,
    reason: change.reason,
    proposedBy: { id: change.proposedBy, name: proposerName ?? "" },
    proposedAt: change.proposedAt,
    expiresAt: change.expiresAt,
    state: change.state === "open" && change.expiresAt <= now ? "expired" : change.state,
    decidedBy: deciderName,
    decidedAt: change.decidedAt,
    endedBy: ending.endingAct
      ? {
          act: ending.endingAct,
          who: ending.endingSubject === `operator:${change.operatorId}` ? "concerned" : "proposer",
        }
      : null,
  }));
}
