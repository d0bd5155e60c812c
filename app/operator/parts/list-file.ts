import { exportList, isListName } from "#server/console/lists/export-list.ts";
import type { Route } from "./+types/list-file";
import { csvFile } from "./csv-file.ts";
import { consoleOf, guard, notFound } from "./route.ts";
import { searchText } from "./search-text.ts";

export const middleware = guard("console/export-list");

/** A list as the filters in the address leave it, as CSV: `deposits.csv?state=approved`. Taking it away is an act of its own. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const list = params.listFile.replace(/\.csv$/, "");
  if (!isListName(list)) throw notFound();
  const at = now();
  const filter = {
    state: searchText(url.searchParams, "state"),
    kind: searchText(url.searchParams, "kind"),
    search: searchText(url.searchParams, "q"),
  };
  const csv = await exportList(db, operator, { list, filter }, at);
  return csvFile(list, at.toISOString().slice(0, 10), csv);
}
