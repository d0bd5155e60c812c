import { viewMessageFile } from "#server/contact/read-file.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import type { Route } from "./+types/message-file";

export const middleware = guard("contact/view-file");

/** A file that came with a message, for staff. Every view is written into the audit log: it may show a bank or a wallet. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { app, operator } = consoleOf(context);
  const file = found(await viewMessageFile(app, operator, params, app.now()));
  return fileResponse(file);
}
