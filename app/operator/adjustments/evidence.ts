import { data } from "react-router";
import { viewEvidence } from "#server/adjustments/view-evidence.ts";
import { appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import type { Route } from "./+types/evidence";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("adjustments/view-evidence"),
];

/** The evidence of an adjustment, for staff. Every view stands in the audit log. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const operator = context.get(operatorContext);
  const file = await viewEvidence(app, operator, params.adjustmentId, app.now());
  if (!file) throw data(null, { status: 404, statusText: "Not Found" });
  return fileResponse(file);
}
