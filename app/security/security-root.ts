import type { RouterContextProvider } from "react-router";
import { sessionContext } from "#server/identity/step-up/fresh-mfa.ts";

/** Where these pages stand for who is signed in: below the account, or below the console. */
export function securityRoot(context: Readonly<RouterContextProvider>): string {
  const { kind } = context.get(sessionContext);
  return kind === "operator" ? "/operator/security" : "/account/security";
}
