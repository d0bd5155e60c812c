import { data } from "react-router";
import { isMonth } from "#core/months.ts";
import { utcDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import { listProofDaysOf } from "#server/proof/list-days.ts";
import { withMarks } from "#server/withdrawals/bitcoin/with-marks.ts";
import type { Route } from "./+types/month-file";

/** The digests of a month with all that they stand on, `/proof/2026-11.json`, newest first: docs/proof.md says what each field is. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [, month = ""] = /^(\d{4}-\d{2})\.json$/.exec(params.file) ?? [];
  const days = isMonth(month) ? await listProofDaysOf(db, month) : [];
  if (days.length === 0) throw data(null, { status: 404, statusText: "Not Found" });
  // The last day of a month comes after its end.
  const isOpen = month >= utcDay(new Date(now().getTime() - 2 * 86_400_000)).slice(0, 7);
  const marked = await withMarks(db, days);
  const isComplete = !isOpen && marked.every(({ mark }) => mark);
  const headers = { "cache-control": `public, max-age=${isComplete ? 86_400 : 300}` };
  return Response.json(marked, { headers });
}
