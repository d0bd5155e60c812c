import type { OperatorRole } from "#core/permissions.ts";
import { asc, eq, max, type SQL, sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { credentials, operators, sessions, users } from "../schema.ts";

export interface StaffMember {
  id: string;
  name: string;
  email: string;
  role: OperatorRole;
  /** Invited: has not set a password yet. */
  state: "active" | "invited" | "suspended";
  createdAt: Date;
  /** When the newest session that still stands was opened. */
  signedInAt: Date | null;
}

/** Everybody who is staff or was, by name. */
export async function listStaff(db: Db): Promise<StaffMember[]> {
  return readStaff(db, undefined);
}

/** One of them, or null. */
export async function findStaffMember(db: Db, id: string): Promise<StaffMember | null> {
  const [member] = await readStaff(db, eq(operators.id, id));
  return member ?? null;
}

async function readStaff(db: Db, wanted: SQL | undefined): Promise<StaffMember[]> {
  const rows = await db
    .select({
      id: users.id,
      name: sql<string>`${users.name}`,
      email: users.email,
      role: operators.role,
      state: operators.state,
      createdAt: operators.createdAt,
      hasPassword: sql<boolean>`bool_or(${credentials.password} is not null)`,
      signedInAt: max(sessions.createdAt),
    })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.id))
    .leftJoin(credentials, eq(credentials.userId, operators.id))
    .leftJoin(sessions, eq(sessions.userId, operators.id))
    .where(wanted)
    .groupBy(users.id, operators.id)
    .orderBy(asc(users.name), asc(users.id));
  return rows.map(({ hasPassword, ...member }) => ({
    ...member,
    state: member.state === "active" && !hasPassword ? "invited" : member.state,
  }));
}
