import type { RouterContextProvider } from "react-router";
import { requestContext } from "#server/app-context.ts";
import type { Browser } from "#server/identity/settings/settings.ts";

/** Whose browser a request comes from, for the history of the account. */
export function browserOf(request: Request, context: Readonly<RouterContextProvider>): Browser {
  return {
    ipAddress: context.get(requestContext).clientAddress,
    userAgent: request.headers.get("user-agent"),
  };
}
