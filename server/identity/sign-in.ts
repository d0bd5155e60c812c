import { setTimeout as wait } from "node:timers/promises";
import { APIError } from "better-auth/api";
import { Refusal } from "#core/refusal.ts";
import type { Db } from "../platform/database.ts";
import { countAttempt, forgetAttempts, placeOf } from "../platform/rate-limit.ts";
import { type Auth, clientAddressHeader } from "./auth.ts";
import { limits } from "./limits.ts";
import { raiseCause, type SignedInUser } from "./signed-in-user.ts";

export interface SignIn {
  email: string;
  password: string;
  /** Whether the session outlives the browser. */
  rememberMe: boolean;
  clientAddress: string;
  userAgent: string;
  now: Date;
}

/** A refusal leaves no earlier than this after the request came, so that its time tells little. */
const refusalFloorMs = 250;

/**
 * Checks a password and opens a session, whose cookies are returned. Unknown address, wrong password and
 * suspended operator are refused alike, after the same work.
 *
 * @throws Refusal `identity/sign-in-failed`
 * @throws TooManyAttempts
 */
export async function signIn(
  { db, auth }: { db: Db; auth: Auth },
  attempt: SignIn,
): Promise<{ user: SignedInUser; cookies: string[] }> {
  const floor = wait(refusalFloorMs);
  const account = attempt.email.toLowerCase();
  const place = placeOf(attempt.clientAddress);
  const both = `${place} ${account}`;
  await countAttempt(db, limits.signInByPlace, place, attempt.now);
  await countAttempt(db, limits.signInByPlaceAndAccount, both, attempt.now);
  await countAttempt(db, limits.signInByAccount, account, attempt.now);
  try {
    const opened = await openSession(auth, attempt);
    await forgetAttempts(db, limits.signInByPlaceAndAccount, both);
    await forgetAttempts(db, limits.signInByAccount, account);
    return opened;
  } catch (error) {
    if (!(error instanceof APIError) || error.statusCode >= 500) return raiseCause(db, error);
    await floor;
    throw new Refusal("identity/sign-in-failed");
  }
}

async function openSession(auth: Auth, attempt: SignIn) {
  const { email, password, rememberMe } = attempt;
  const { headers, response } = await auth.api.signInEmail({
    body: { email, password, rememberMe },
    headers: new Headers({
      [clientAddressHeader]: attempt.clientAddress,
      "user-agent": attempt.userAgent.slice(0, 300),
    }),
    returnHeaders: true,
  });
  const kind: SignedInUser["kind"] = response.user.kind === "operator" ? "operator" : "customer";
  return { user: { id: response.user.id, kind }, cookies: headers.getSetCookie() };
}
