import { utcDay } from "#core/utc-day.ts";
import { exportBusiness } from "#server/console/business/export-business.ts";
import { csvFile } from "../parts/csv-file.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/business-csv";
import { periodParams, readPeriod } from "./read-period.ts";

export const middleware = guard("business/export");

/** The figures of a period as the page of the same address shows them, as CSV. Taking them away is an act of its own. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const at = now();
  const period = readPeriod(new URL(request.url).searchParams, utcDay(at));
  const csv = await exportBusiness(db, operator, period, at);
  return csvFile("business", periodParams(period).period, csv);
}
