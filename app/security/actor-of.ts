import type { RouterContextProvider } from "react-router";
import { appContext, requestContext } from "#server/app-context.ts";
import type { Actor } from "#server/identity/audit/actor.ts";
import { sessionContext } from "#server/identity/step-up/fresh-mfa.ts";

/** Whose own account it is and from where, for acts that change it. */
export function actorOf(request: Request, context: Readonly<RouterContextProvider>): Actor {
  const { id, session } = context.get(sessionContext);
  return {
    userId: id,
    sessionId: session.id,
    clientAddress: context.get(requestContext).clientAddress,
    userAgent: request.headers.get("user-agent") ?? "",
    now: context.get(appContext).now(),
  };
}
