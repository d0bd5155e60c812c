import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { readSlipAsOperator } from "#server/console/deposits/read-slip-as-operator.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import type { Route } from "./+types/deposit-slip";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("deposits/view-slip")];

/** A deposit's slip, for staff. Every view stands in the audit log: a slip shows somebody's bank or wallet. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, files, now } = context.get(appContext);
  const operator = context.get(operatorContext);
  const slip = await readSlipAsOperator({ db, files }, operator, params.depositId, now());
  if (!slip) throw data(null, { status: 404, statusText: "Not Found" });
  return fileResponse(slip);
}
