import { fileResponse } from "#server/platform/files/file-response.ts";
import { viewCountEvidence } from "#server/reconciliation/view-count-evidence.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import type { Route } from "./+types/evidence";

export const middleware = guard("reconciliation/view-evidence");

/** The evidence of a count, for staff. Every view stands in the audit log. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { app, operator } = consoleOf(context);
  const file = found(await viewCountEvidence(app, operator, params.countId, app.now()));
  return fileResponse(file);
}
