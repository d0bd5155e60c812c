import { createContext, type RouterContextProvider, redirect } from "react-router";
import { securityTerms } from "#core/security-terms.ts";
import type { Session, SignedInUser } from "./signed-in-user.ts";

/** Who is signed in and in which session: `context.get(sessionContext)` in a section that requires somebody. */
export const sessionContext = createContext<SignedInUser & { session: Session }>();

/** Whether the second factor (or, of who has none, the password) was asked for within the last ten minutes. */
export function isFresh(context: Readonly<RouterContextProvider>, now: Date): boolean {
  return isFreshSession(context.get(sessionContext).session, now);
}

export function isFreshSession({ provedAt }: Session, now: Date): boolean {
  return now.getTime() - provedAt.getTime() <= securityTerms.freshFactorMinutes * 60_000;
}

/**
 * Guards a sensitive page: whoever has not shown the second factor within ten minutes is sent to show it and comes
 * back. An action asks `isFresh` and answers with a form error, so that what was typed is not lost.
 */
export function requireFreshSecondFactor(
  context: Readonly<RouterContextProvider>,
  { pathname, search }: URL,
  now: Date,
): void {
  if (!isFresh(context, now)) throw redirect(confirmPage(context, pathname + search));
}

/** The page that asks again, and leads to `next`. */
export function confirmPage(context: Readonly<RouterContextProvider>, next: string): string {
  const { kind } = context.get(sessionContext);
  const root = kind === "operator" ? "/operator" : "/account";
  return `${root}/security/confirm?next=${encodeURIComponent(next)}`;
}
