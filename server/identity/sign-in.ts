import { randomBytes, randomUUIDv7 } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { Refusal } from "#core/refusal.ts";
import { securityTerms } from "#core/security-terms.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { countAttempts, forgetAllAttempts, type Limit, placeOf } from "../platform/rate-limit.ts";
import type { Auth } from "./auth.ts";
import { hashToken } from "./issue-link.ts";
import { findKnownDevice, rememberDevice } from "./known-device.ts";
import { limits } from "./limits.ts";
import { openSession } from "./open-session.ts";
import { verifyPassword } from "./password.ts";
import { credentials, halfSessions, operators, users } from "./schema.ts";
import { halfSessionCookie } from "./session-cookie.ts";
import type { SignedInUser } from "./signed-in-user.ts";

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

/** What is still to do: nothing, showing the second factor, or, for staff without one, setting it up. */
export type NextStep = "signed-in" | "second-factor" | "set-up-second-factor";

/** A refusal leaves no earlier than this after the request came, so that its time tells little. */
const refusalFloorMs = 250;

/**
 * Checks a password. Whoever needs no second factor gets a session; everybody else half of one, with which nothing
 * can be read and the second factor can be shown. Unknown address, wrong password and suspended operator are
 * refused alike, after the same work.
 *
 * @throws Refusal `identity/sign-in-failed`; `identity/account-frozen`, only to who knows the password
 * @throws TooManyAttempts
 */
export async function signIn(
  { db, auth, config }: { db: Db; auth: Auth; config: Site },
  attempt: SignIn,
): Promise<{ user: SignedInUser; cookies: string[]; step: NextStep }> {
  const floor = wait(refusalFloorMs);
  const { rememberMe, now } = attempt;
  const account = attempt.email.toLowerCase();
  const place = placeOf(attempt.clientAddress);
  const both = `${place} ${account}`;
  const known = await findKnownDevice(auth, account, attempt.cookieHeader);
  const ofAccount: Array<readonly [Limit, string]> = [
    [limits.signInByPlaceAndAccount, both],
    known ? [limits.signInByKnownDevice, known.id] : [limits.signInByAccount, account],
  ];
  await countAttempts(db, [[limits.signInByPlace, place], ...ofAccount], now);
  const person = await findPerson(db, account);
  const isRight = await verifyPassword({ hash: person?.hash ?? decoy, password: attempt.password });
  if (!person?.hash || !isRight || person.state === "suspended") {
    await floor;
    throw new Refusal("identity/sign-in-failed");
  }
  await forgetAllAttempts(db, ofAccount);
  if (person.isFrozen) throw new Refusal("identity/account-frozen");
  const { id, kind } = person;
  const user = { id, kind };
  const asked = { userId: id, rememberMe, knownDevice: known !== null };
  const { clientAddress, userAgent, cookieHeader } = attempt;
  return db.transaction(async (tx) => {
    await requireSamePassword(tx, id, person.hash);
    if (kind === "operator" || person.hasFactor) {
      const cookies = [await openHalfSession(tx, auth, { ...asked, now })];
      return { user, cookies, step: person.hasFactor ? "second-factor" : "set-up-second-factor" };
    }
    const opening = {
      ...asked,
      kind,
      provedBy: "password",
      clientAddress,
      userAgent,
      cookieHeader,
      now,
    } as const;
    const cookies = await openSession(tx, { auth, config }, opening);
    const device = await rememberDevice(auth, account, { rememberMe, known });
    return { user, cookies: [...cookies, device], step: "signed-in" };
  });
}

/** A hash of nobody's password: checking against it takes as long as against anybody's. */
const decoy =
  "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

async function findPerson(db: Db, email: string) {
  const [person] = await db
    .select({
      id: users.id,
      kind: users.kind,
      hash: credentials.password,
      state: operators.state,
      isFrozen: sql<boolean>`is_frozen(${users.id})`,
      hasFactor: sql<boolean>`has_second_factor(${users.id})`,
    })
    .from(users)
    .innerJoin(credentials, eq(credentials.userId, users.id))
    .leftJoin(operators, eq(operators.id, users.id))
    .where(and(eq(users.email, email), eq(credentials.providerId, "credential")));
  return person;
}

/**
 * Refuses when the password was changed while it was being checked. The lock waits for a change under way; one that
 * comes later finds the session and ends it.
 */
async function requireSamePassword(tx: Tx, userId: string, hash: string | null): Promise<void> {
  const [now] = await tx
    .select({ hash: credentials.password })
    .from(credentials)
    .where(and(eq(credentials.userId, userId), eq(credentials.providerId, "credential")))
    .for("share");
  if (now?.hash !== hash) throw new Refusal("identity/sign-in-failed");
}

async function openHalfSession(
  tx: Tx,
  auth: Auth,
  half: { userId: string; rememberMe: boolean; knownDevice: boolean; now: Date },
): Promise<string> {
  const { now, ...rest } = half;
  const token = randomBytes(32).toString("base64url");
  await tx.insert(halfSessions).values({
    id: randomUUIDv7(),
    ...rest,
    tokenSha256: hashToken(token),
    createdAt: now,
    expiresAt: new Date(now.getTime() + securityTerms.halfSessionMinutes * 60_000),
  });
  return halfSessionCookie(auth, token);
}
