import { auditLog, operators, users } from "#server/identity/schema.ts";
import type { Db } from "#server/platform/database.ts";
import { asc, eq, sql } from "#server/platform/sql.ts";
import { type AuditRow, listAuditLog } from "./list-audit-log.ts";

/** What the audit log can be filtered by: everybody who is staff or was, and every kind of act that happened. */
export async function listAuditChoices(
  db: Db,
): Promise<{ operators: { id: string; name: string }[]; acts: string[] }> {
  const staff = await db
    .select({ id: operators.id, name: sql<string>`${users.name}` })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.id))
    .orderBy(asc(users.name), asc(operators.id));
  return { operators: staff, acts: await listActs(db) };
}

/** Jumps from one kind of act to the next along the index: the log is long, its kinds are few. */
async function listActs(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ act: string }>(sql`
    with recursive kinds (act) as (
      select min(${auditLog.act}) from ${auditLog}
      union all
      select (select min(a.act) from ${auditLog} a where a.act > kinds.act) from kinds where kinds.act is not null
    )
    select act from kinds where act is not null`);
  return rows.map((row) => row.act);
}

/** The last acts of staff that touched one customer, newest first. */
export function listActsOnCustomer(
  db: Db,
  customerId: string,
  page: { after?: number | undefined; limit: number },
): Promise<AuditRow[]> {
  return listAuditLog(db, { customerId }, page);
}
