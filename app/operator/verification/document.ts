import { data } from "react-router";
import { Refusal } from "#core/refusal.ts";
import { appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { fileResponse } from "#server/platform/files/file-response.ts";
import { viewDocument } from "#server/verification/view-document.ts";
import type { Route } from "./+types/document";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("verification/view-document"),
];

/** One identity document, for who may look at it. Every look stands in the audit log before a byte is given out. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  try {
    return fileResponse(await viewDocument(app, context.get(operatorContext), params, app.now()));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "verification/not-found") {
      throw data(null, { status: 404, statusText: "Not Found" });
    }
    if (error.code === "verification/document-erased") {
      throw data(null, { status: 410, statusText: "Gone" });
    }
    // Neither shown nor hidden: whoever looks after the server finds it in the log.
    throw data(null, { status: 500, statusText: "Document unreadable" });
  }
}
