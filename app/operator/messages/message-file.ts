import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { viewMessageFile } from "#server/contact/read-file.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import type { Route } from "./+types/message-file";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("contact/view-file")];

/** A file that came with a message, for staff. Every view is written into the audit log: it may show a bank or a wallet. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const operator = context.get(operatorContext);
  const file = await viewMessageFile(app, operator, params, app.now());
  if (!file) throw data(null, { status: 404, statusText: "Not Found" });
  return fileResponse(file);
}
