import { data } from "react-router";
import { unlessRefused } from "#app/run-act.ts";
import { viewDocument } from "#server/kyc/view-document.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/document";

export const middleware = guard("kyc/view-document");

/** One identity document, for who may look at it. Every look stands in the audit log before a byte is given out. */
export function loader({ params, context }: Route.LoaderArgs) {
  const { app, operator } = consoleOf(context);
  return unlessRefused(
    async () => fileResponse(await viewDocument(app, operator, params, app.now())),
    ({ code }) => {
      throw data(null, statuses[code] ?? unreadable);
    },
  );
}

const statuses: Record<string, ResponseInit> = {
  "kyc/not-found": { status: 404, statusText: "Not Found" },
  "kyc/document-erased": { status: 410, statusText: "Gone" },
};
/** Neither shown nor hidden: whoever looks after the server finds it in the log. */
const unreadable = { status: 500, statusText: "Document unreadable" };
