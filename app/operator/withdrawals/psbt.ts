import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { downloadPsbt } from "#server/withdrawals/download-psbt.ts";
import type { Route } from "./+types/psbt";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("withdrawals/download-psbt"),
];

/** What is to be signed, as a file. Taking it away is written down. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { paymentId: batchId } = params;
  const number = Number(/^(\d{1,4})\.psbt$/.exec(params.psbtFile)?.[1] ?? 0);
  const wanted = { batchId, number };
  const psbt = await downloadPsbt(db, context.get(operatorContext), wanted, now());
  if (!psbt) throw data(null, { status: 404, statusText: "Not Found" });
  return new Response(Buffer.from(psbt), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="batch-${batchId.slice(-12)}-${number}.psbt"`,
      "x-content-type-options": "nosniff",
    },
  });
}
