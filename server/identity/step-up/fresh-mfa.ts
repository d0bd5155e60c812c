import { createContext, type RouterContextProvider, redirect } from "react-router";
import type { Session, SignedInUser } from "../sessions/signed-in-user.ts";
import { isFresh as isFreshAt } from "./proof.ts";

/** Who is signed in and in which session: `context.get(sessionContext)` in a section that requires somebody. */
export const sessionContext = createContext<SignedInUser & { session: Session }>();

/** Whether the second factor (or, of who has none, the password) was asked for within the last ten minutes. */
export function isFresh(context: Readonly<RouterContextProvider>, now: Date): boolean {
  return isFreshSession(context.get(sessionContext).session, now);
}

/** What was proved at a moment still to come was proved before the clock was set back: nobody knows how long ago. */
export function isFreshSession({ provedAt }: Session, now: Date): boolean {
  return provedAt.getTime() - now.getTime() <= clocksDifferMs && isFreshAt(provedAt, now);
}

/** Clocks of two machines differ by less. */
const clocksDifferMs = 60_000;

/**
 * Guards a sensitive page: whoever has not shown the second factor within ten minutes is sent to show it and comes
 * back. A form is guarded by `requireStepUp`, or its action asks `isFresh`, so that what was typed is not lost.
 */
export function requireFreshMfa(
  context: Readonly<RouterContextProvider>,
  { pathname, search }: URL,
  now: Date,
): void {
  if (!isFresh(context, now)) throw redirect(confirmPage(context, pathname + search));
}

/** The same for a file, which no page is gone to for: a page says that it comes, and lets it. */
export function requireFreshForFile(
  context: Readonly<RouterContextProvider>,
  { pathname, search }: URL,
  now: Date,
): void {
  if (!isFresh(context, now)) throw redirect(`${confirmPage(context, pathname + search)}&file=ask`);
}

/** The page that asks again, and leads to `next`. */
export function confirmPage(context: Readonly<RouterContextProvider>, next: string): string {
  const { kind } = context.get(sessionContext);
  const root = kind === "operator" ? "/operator" : "/account";
  return `${root}/security/confirm?next=${encodeURIComponent(next)}`;
}
