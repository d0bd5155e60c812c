import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { exportList, isListName } from "#server/console/lists/export-list.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import type { Route } from "./+types/list-file";
import { csvFile } from "./csv-file.ts";
import { searchText } from "./search-text.ts";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("console/export-list")];

/** A list as the filters in the address leave it, as CSV: `deposits.csv?state=approved`. Taking it away is an act of its own. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const list = params.listFile.replace(/\.csv$/, "");
  if (!isListName(list)) throw data(null, { status: 404, statusText: "Not Found" });
  const at = now();
  const filter = {
    state: searchText(url.searchParams, "state"),
    kind: searchText(url.searchParams, "kind"),
    search: searchText(url.searchParams, "q"),
  };
  const csv = await exportList(db, context.get(operatorContext), { list, filter }, at);
  return csvFile(list, at.toISOString().slice(0, 10), csv);
}
