import { setTimeout as wait } from "node:timers/promises";
import { APIError } from "better-auth/api";
import { and, eq } from "drizzle-orm";
import { Refusal } from "#core/refusal.ts";
import type { Db } from "../platform/database.ts";
import { countAttempt, forgetAttempts, placeOf } from "../platform/rate-limit.ts";
import { type Auth, clientAddressHeader } from "./auth.ts";
import { findKnownDevice, rememberDevice } from "./known-device.ts";
import { limits } from "./limits.ts";
import { credentials, sessions, users } from "./schema.ts";
import { raiseCause, type SignedInUser } from "./signed-in-user.ts";

export interface SignIn {
  email: string;
  password: string;
  /** Whether the session outlives the browser. */
  rememberMe: boolean;
  clientAddress: string;
  userAgent: string;
  /** The request's cookies: they may show a browser that has signed in to this account before. */
  cookieHeader: string;
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
  const known = await findKnownDevice(auth, account, attempt.cookieHeader);
  await countAttempt(db, limits.signInByPlace, place, attempt.now);
  await countAttempt(db, limits.signInByPlaceAndAccount, both, attempt.now);
  if (known) await countAttempt(db, limits.signInByKnownDevice, known.id, attempt.now);
  else await countAttempt(db, limits.signInByAccount, account, attempt.now);
  try {
    const { user, cookies } = await openSession({ db, auth }, attempt);
    await forgetAttempts(db, limits.signInByPlaceAndAccount, both);
    if (known) await forgetAttempts(db, limits.signInByKnownDevice, known.id);
    else await forgetAttempts(db, limits.signInByAccount, account);
    const device = await rememberDevice(auth, account, { rememberMe: attempt.rememberMe, known });
    return { user, cookies: [...cookies, device] };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (!(error instanceof APIError) || error.statusCode >= 500) return raiseCause(db, error);
    await floor;
    throw new Refusal("identity/sign-in-failed");
  }
}

async function openSession({ db, auth }: { db: Db; auth: Auth }, attempt: SignIn) {
  const { email, password, rememberMe } = attempt;
  const passwordBefore = await findPasswordHash(db, email);
  const { headers, response } = await auth.api.signInEmail({
    body: { email, password, rememberMe },
    headers: new Headers({
      [clientAddressHeader]: attempt.clientAddress,
      "user-agent": attempt.userAgent.slice(0, 300),
    }),
    returnHeaders: true,
  });
  const opened = { userId: response.user.id, token: response.token, passwordBefore };
  if (await endedByReset(db, opened)) throw new Refusal("identity/sign-in-failed");
  const kind: SignedInUser["kind"] = response.user.kind === "operator" ? "operator" : "customer";
  return { user: { id: response.user.id, kind }, cookies: headers.getSetCookie() };
}

async function findPasswordHash(db: Db, email: string): Promise<string | null> {
  const [found] = await db
    .select({ hash: credentials.password })
    .from(credentials)
    .innerJoin(users, eq(users.id, credentials.userId))
    .where(and(eq(users.email, email.toLowerCase()), eq(credentials.providerId, "credential")));
  return found?.hash ?? null;
}

/**
 * Ends the session again when the password was reset while it was being checked. The lock waits for a reset
 * under way; a reset that comes later finds the session and ends it.
 */
function endedByReset(
  db: Db,
  opened: { userId: string; token: string; passwordBefore: string | null },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [now] = await tx
      .select({ hash: credentials.password })
      .from(credentials)
      .where(and(eq(credentials.userId, opened.userId), eq(credentials.providerId, "credential")))
      .for("share");
    if (now?.hash === opened.passwordBefore) return false;
    await tx.delete(sessions).where(eq(sessions.token, opened.token));
    return true;
  });
}
