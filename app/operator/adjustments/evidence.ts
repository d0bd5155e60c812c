import { viewEvidence } from "#server/adjustments/view-evidence.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import type { Route } from "./+types/evidence";

export const middleware = guard("adjustments/view-evidence");

/** The evidence of an adjustment, for staff. Every view stands in the audit log. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { app, operator } = consoleOf(context);
  const file = found(await viewEvidence(app, operator, params.adjustmentId, app.now()));
  return fileResponse(file);
}
