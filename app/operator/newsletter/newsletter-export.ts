import { exportSubscribers } from "#server/console/newsletter/export-subscribers.ts";
import { csvFile } from "../parts/csv-file.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/newsletter-export";

export const middleware = guard("console/export-subscribers");

/** The confirmed subscribers as CSV. Taking them away is an act of its own. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now, operator } = consoleOf(context);
  const at = now();
  const csv = await exportSubscribers(db, operator, { appUrl: config.appUrl, now: at });
  return csvFile("subscribers", at.toISOString().slice(0, 10), csv);
}
