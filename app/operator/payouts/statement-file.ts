import { isUuid } from "#core/is-uuid.ts";
import { downloadStatement } from "#server/console/mining/download-statement.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import type { Route } from "./+types/statement-file";

export const middleware = guard("payouts/download-statement");

/** What a pool said, byte for byte. Taking it away is an act of its own. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const { statementId } = params;
  const statement = found(
    isUuid(statementId) ? await downloadStatement(db, operator, statementId, now()) : null,
  );
  return new Response(Buffer.from(statement.content), {
    headers: {
      // Never shown as a page: it is a stranger's file.
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(statement.name)}`,
      "x-content-type-options": "nosniff",
    },
  });
}
