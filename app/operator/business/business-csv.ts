import { utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { exportBusiness } from "#server/console/business/export-business.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { csvFile } from "../parts/csv-file.ts";
import type { Route } from "./+types/business-csv";
import { periodParams, readPeriod } from "./read-period.ts";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("business/export")];

/** The figures of a period as the page of the same address shows them, as CSV. Taking them away is an act of its own. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const at = now();
  const period = readPeriod(new URL(request.url).searchParams, utcDay(at));
  const csv = await exportBusiness(db, context.get(operatorContext), period, at);
  return csvFile("business", periodParams(period).period, csv);
}
