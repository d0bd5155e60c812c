import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { toCsv } from "#server/platform/to-csv.ts";
import { type AuditFilter, type AuditRow, listAuditLog } from "./list-audit-log.ts";

/** The most rows that one file holds; a longer log is taken away day by day. */
export const exportLimit = 20_000;

/** Takes the audit log away as CSV, newest first, and writes into it that this was done. */
export function exportAuditLog(
  db: Db,
  operator: ActingOperator,
  filter: AuditFilter,
  now: Date,
): Promise<string> {
  const { operatorId = null, act = null, customerId = null, about = null } = filter;
  const { from = null, until = null } = filter;
  const exported = {
    act: "console/export-audit-log" as const,
    subject: "audit-log",
    detail: { operatorId, act, customerId, about, from, until },
    now,
  };
  return actAsOperator(db, operator, exported, async (tx) => {
    const rows = await listAuditLog(tx, filter, { limit: exportLimit });
    return toCsv(columns, rows.map(asCells));
  });
}

const columns = [
  "time (UTC)",
  "operator",
  "act",
  "customer",
  "customer id",
  "subject",
  "detail",
  "request",
  "link",
  "previous hash",
  "hash",
];

function asCells(row: AuditRow): string[] {
  return [
    row.occurredAt.toISOString(),
    row.operator?.name ?? "",
    row.act,
    row.customer?.name ?? "",
    row.customer?.id ?? "",
    row.subject,
    JSON.stringify(row.detail),
    row.requestId ?? "",
    String(row.link),
    row.previousHash,
    row.hash,
  ];
}
