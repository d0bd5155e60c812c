import type { RouterContextProvider } from "react-router";
import { Refusal } from "#core/refusal.ts";
import { appContext, requestContext } from "#server/app-context.ts";

/**
 * Tells the log that somebody was refused who wanted in, or wanted to show who he is: why, and in which request, whose
 * line has the path. Nobody is named. What is no refusal is left to whoever logs errors.
 */
export function noteRefusal(context: Readonly<RouterContextProvider>, error: unknown): void {
  if (!(error instanceof Refusal)) return;
  const { requestId } = context.get(requestContext);
  context.get(appContext).log.warn({ requestId, refusal: error.code }, "authentication refused");
}
