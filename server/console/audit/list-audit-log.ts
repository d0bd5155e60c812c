import { auditChain, auditLog, users } from "#server/identity/schema.ts";
import { containing } from "#server/platform/containing.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, desc, eq, gte, lt, type SQL, sql } from "#server/platform/sql.ts";
import { type AnyPgColumn, alias } from "#server/platform/tables.ts";

/** Which acts of staff are wanted; what is absent does not matter. */
export interface AuditFilter {
  operatorId?: string | undefined;
  act?: string | undefined;
  customerId?: string | undefined;
  /** Part of the customer's name or e-mail, of the subject, or of what the act wrote down about itself. */
  about?: string | undefined;
  /** The first and the last UTC day, YYYY-MM-DD. */
  from?: string | undefined;
  until?: string | undefined;
}

export interface AuditRow {
  id: string;
  /** Its place in the log; hand it back as `after` for the rows that follow. */
  position: number;
  act: string;
  /** Null: a command on the server itself. */
  operator: { id: string; name: string } | null;
  customer: { id: string; name: string } | null;
  subject: string;
  detail: Record<string, unknown>;
  requestId: string | null;
  occurredAt: Date;
  /** Its link in the chain: `npm run verify -- audit` computes it anew. */
  link: number;
  /** Hexadecimal, as the hash before it. */
  hash: string;
  previousHash: string;
}

const operatorUsers = alias(users, "operator_users");

const customerUsers = alias(users, "customer_users");

/** Acts of staff, newest first. */
export async function listAuditLog(
  db: Db | Tx,
  filter: AuditFilter,
  page: { after?: number | undefined; limit: number },
): Promise<AuditRow[]> {
  const older = page.after === undefined ? undefined : lt(auditLog.position, page.after);
  const rows = await db
    .select({
      id: auditLog.id,
      position: auditLog.position,
      act: auditLog.act,
      operatorId: auditLog.operatorId,
      operatorName: operatorUsers.name,
      customerId: auditLog.customerId,
      customerName: customerUsers.name,
      subject: auditLog.subject,
      detail: auditLog.detail,
      requestId: auditLog.requestId,
      occurredAt: auditLog.occurredAt,
      link: auditChain.link,
      hash: inHex(auditChain.hash),
      previousHash: inHex(auditChain.previousHash),
    })
    .from(auditLog)
    .innerJoin(auditChain, eq(auditChain.actId, auditLog.id))
    .leftJoin(operatorUsers, eq(operatorUsers.id, auditLog.operatorId))
    .leftJoin(customerUsers, eq(customerUsers.id, auditLog.customerId))
    .where(and(older, ...matching(filter)))
    .orderBy(desc(auditLog.position))
    .limit(page.limit);
  return rows.map(({ operatorId, operatorName, customerId, customerName, ...row }) => ({
    ...row,
    operator: operatorId ? { id: operatorId, name: operatorName ?? "" } : null,
    customer: customerId ? { id: customerId, name: customerName ?? "" } : null,
  }));
}

function matching(filter: AuditFilter): (SQL | undefined)[] {
  const { operatorId, act, customerId, about, from, until } = filter;
  return [
    operatorId ? eq(auditLog.operatorId, operatorId) : undefined,
    act ? eq(auditLog.act, act) : undefined,
    customerId ? eq(auditLog.customerId, customerId) : undefined,
    containing(
      about,
      customerUsers.name,
      customerUsers.email,
      auditLog.subject,
      sql`${auditLog.detail}::text`,
    ),
    from ? gte(auditLog.occurredAt, startOf(from)) : undefined,
    until ? lt(auditLog.occurredAt, new Date(startOf(until).getTime() + 86_400_000)) : undefined,
  ];
}

export function inHex(hash: AnyPgColumn): SQL<string> {
  return sql<string>`encode(${hash}, 'hex')`;
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
