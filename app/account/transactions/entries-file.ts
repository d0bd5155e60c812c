import { utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { readFiltered } from "#server/statements/read-filtered.ts";
import { writeCsv } from "#server/statements/write-csv.ts";
import type { Route } from "./+types/entries-file";
import { readEntryFilter, toStatementFilter } from "./entry-filter.ts";
import { countFile, streamed } from "./file-answer.ts";

/** The entries that the list's filter finds, all pages of them, for a spreadsheet. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { id } = context.get(customerContext);
  await countFile(app, id);
  const filter = toStatementFilter(readEntryFilter(url.searchParams));
  return new Response(streamed(writeCsv({ entries: readFiltered(app.db, id, filter) })), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="entries-${utcDay(app.now())}.csv"`,
      "cache-control": "private, no-store",
    },
  });
}
