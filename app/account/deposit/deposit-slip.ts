import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { readSlip } from "#server/deposits/slips/read-slip.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import type { Route } from "./+types/deposit-slip";

/** A deposit's slip, for the customer who sent it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { id } = context.get(customerContext);
  const slip = await readSlip(context.get(appContext), params.depositId, { customerId: id });
  if (!slip) throw data(null, { status: 404, statusText: "Not Found" });
  return fileResponse(slip);
}
