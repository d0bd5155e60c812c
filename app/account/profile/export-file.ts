import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { requireFreshForFile } from "#server/identity/step-up/fresh-mfa.ts";
import { readExport } from "#server/personal-data/read-export.ts";
import type { Route } from "./+types/export-file";
import { browserOf } from "./browser-of.ts";

/** The copy of a customer's data, for the customer alone, who shows again who he is: it holds everything. */
export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  requireFreshForFile(context, url, app.now());
  const { id: customerId } = context.get(customerContext);
  const { exportId } = params;
  const browser = browserOf(request, context);
  const copy = await readExport(app, { exportId, customerId, browser, now: app.now() });
  if (!copy) throw data(null, { status: 404, statusText: "Not Found" });
  const { bytes, readyAt } = copy;
  const name = `${readyAt.toISOString().slice(0, 10)}-my-data.zip`;
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": "application/zip",
      "content-length": String(bytes.length),
      "content-disposition": `attachment; filename="${name}"`,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-store",
    },
  });
}
