import { exportAuditLog } from "#server/console/audit/export-audit-log.ts";
import { csvFile } from "../parts/csv-file.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/audit-export";
import { readAuditFilter } from "./audit-filter.ts";

export const middleware = guard("console/export-audit-log");

/** The audit log as the filters in the address leave it, as CSV. Taking it away is an act of its own. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const at = now();
  const filter = readAuditFilter(new URL(request.url).searchParams);
  const csv = await exportAuditLog(db, operator, filter, at);
  return csvFile("audit-log", at.toISOString().slice(0, 10), csv);
}
