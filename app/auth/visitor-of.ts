import type { RouterContextProvider } from "react-router";
import { appContext, requestContext } from "#server/app-context.ts";
import type { Visitor } from "#server/identity/sign-in/pass-mfa.ts";

/** Where a request comes from, for acts that open a session. */
export function visitorOf(request: Request, context: Readonly<RouterContextProvider>): Visitor {
  return {
    clientAddress: context.get(requestContext).clientAddress,
    userAgent: request.headers.get("user-agent") ?? "",
    cookieHeader: request.headers.get("cookie") ?? "",
    now: context.get(appContext).now(),
  };
}
