import { appContext } from "#server/app-context.ts";
import { exportSubscribers } from "#server/console/newsletter/export-subscribers.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { csvFile } from "../parts/csv-file.ts";
import type { Route } from "./+types/newsletter-export";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("console/export-subscribers"),
];

/** The confirmed subscribers as CSV. Taking them away is an act of its own. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const at = now();
  const csv = await exportSubscribers(db, context.get(operatorContext), at);
  return csvFile("subscribers", at.toISOString().slice(0, 10), csv);
}
