import { readSlipAsOperator } from "#server/console/deposits/read-slip-as-operator.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import type { Route } from "./+types/deposit-slip";

export const middleware = guard("deposits/view-slip");

/** A deposit's slip, for staff. Every view stands in the audit log: a slip shows somebody's bank or wallet. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, files, now, operator } = consoleOf(context);
  const slip = found(await readSlipAsOperator({ db, files }, operator, params.depositId, now()));
  return fileResponse(slip);
}
