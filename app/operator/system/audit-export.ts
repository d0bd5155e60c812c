import { appContext } from "#server/app-context.ts";
import { exportAuditLog } from "#server/console/audit/export-audit-log.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { csvFile } from "../parts/csv-file.ts";
import type { Route } from "./+types/audit-export";
import { readAuditFilter } from "./audit-filter.ts";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("console/export-audit-log"),
];

/** The audit log as the filters in the address leave it, as CSV. Taking it away is an act of its own. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const at = now();
  const filter = readAuditFilter(new URL(request.url).searchParams);
  const csv = await exportAuditLog(db, context.get(operatorContext), filter, at);
  return csvFile("audit-log", at.toISOString().slice(0, 10), csv);
}
