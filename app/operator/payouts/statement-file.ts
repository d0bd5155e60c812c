import { data } from "react-router";
import { appContext } from "#server/app-context.ts";
import { isId } from "#server/console/is-id.ts";
import { downloadStatement } from "#server/console/mining/download-statement.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import type { Route } from "./+types/statement-file";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("payouts/download-statement"),
];

/** What a pool said, byte for byte. Taking it away is an act of its own. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const operator = context.get(operatorContext);
  const { statementId } = params;
  const statement = isId(statementId)
    ? await downloadStatement(db, operator, statementId, now())
    : null;
  if (!statement) throw data(null, { status: 404, statusText: "Not Found" });
  return new Response(Buffer.from(statement.content), {
    headers: {
      // Never shown as a page: it is a stranger's file.
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(statement.name)}`,
      "x-content-type-options": "nosniff",
    },
  });
}
