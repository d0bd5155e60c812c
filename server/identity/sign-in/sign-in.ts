import { randomBytes, randomUUIDv7 } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { securityTerms } from "#core/people/security-terms.ts";
import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { preparedSql } from "../../platform/database/prepared.ts";
import type { Db, Tx } from "../../platform/database.ts";
import {
  type Counted,
  clientNetwork,
  counting,
  forgetAllAttempts,
  requireUnder,
  subnetOf,
  toCount,
} from "../../platform/rate-limit.ts";
import { turnOfBrowser, turnOfStranger, verifyInTurn } from "../passwords/password.ts";
import { hashToken } from "../registration/issue-link.ts";
import { credentials, pendingMfaSessions } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import {
  type Entrance,
  type Opening,
  openKnownBrowserSession,
  openSession,
} from "../sessions/open-session.ts";
import { pendingMfaCookie } from "../sessions/session-cookie.ts";
import type { SignedInUser } from "../sessions/signed-in-user.ts";
import type { OperatorState } from "../staff/operator.ts";
import { type Effort, ofWholeSite, queueOf } from "./effort.ts";
import {
  findKnownDevice,
  isKnownSincePassword,
  type KnownDevice,
  rememberDevice,
} from "./known-device.ts";
import { limits } from "./limits.ts";

export interface SignIn {
  email: string;
  password: string;
  /** Whether the session outlives the browser. */
  rememberMe: boolean;
  clientAddress: string;
  userAgent: string;
  /** The request's cookies: they may show a browser that has signed in to this account before. */
  cookieHeader: string;
  /** What a browser that nobody knows has done for its turn, when the site is busy. */
  effort?: Effort;
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
 * A browser that has signed in to the account before goes first. Others share limits of the whole site, beyond which they are
 * asked for effort before anything is hashed; what finds no room to be hashed in is refused uncounted.
 *
 * @throws Refusal `identity/sign-in-failed`; `identity/account-frozen`, only to who knows the password
 * @throws Busy before the password was looked at
 * @throws TooManyAttempts
 */
export async function signIn(
  { db, ...entrance }: { db: Db } & Entrance,
  attempt: SignIn,
): Promise<{ user: SignedInUser; cookies: string[]; step: NextStep }> {
  const { auth } = entrance;
  const floor = wait(refusalFloorMs);
  const { rememberMe, effort = "none", now } = attempt;
  const account = attempt.email.toLowerCase();
  const known = findKnownDevice(auth, account, attempt.cookieHeader);
  const { counted, ofAccount } = limitsOf(attempt, known);
  const turn = known
    ? turnOfBrowser(account, attempt.clientAddress, queueOf[effort])
    : turnOfStranger(attempt.clientAddress, queueOf[effort]);
  const { found: person, isRight } = await verifyInTurn(turn, {
    password: attempt.password,
    lookUp: () => beginSignIn(db, { counted, account, now }),
  });
  const hash = person?.hash ?? null;
  if (!person || !hash || !isRight || person.state === "suspended") {
    await floor;
    throw new Refusal("identity/sign-in-failed");
  }
  const { id, kind, hasMfa, isFrozen } = person;
  const needsMfa = kind === "operator" || hasMfa;
  if (needsMfa || isFrozen) await forgetAllAttempts(db, ofAccount);
  if (isFrozen) throw new Refusal("identity/account-frozen");
  const user = { id, kind };
  const knownDevice = isKnownSincePassword(auth, known, hash);
  if (needsMfa) {
    const half = { userId: id, rememberMe, knownDevice, now };
    const cookies = [await openPendingMfaSession(db, auth, hash, half)];
    return { user, cookies, step: hasMfa ? "second-factor" : "set-up-second-factor" };
  }
  const { clientAddress, userAgent, cookieHeader } = attempt;
  const visitor = { clientAddress, userAgent, cookieHeader, rememberMe, now };
  const password = { hash, attempts: ofAccount };
  const about = { userId: id, kind, provedBy: "password", password, knownDevice } as const;
  const cookies = await openWholeSession({ db, ...entrance }, { ...visitor, ...about });
  const device = rememberDevice(auth, account, { known, hash });
  return { user, cookies: [...cookies, device], step: "signed-in" };
}

/** What a try counts against, in this order, and what of it a right password answers for. */
function limitsOf(
  { email, clientAddress, effort = "none" }: SignIn,
  known: KnownDevice | null,
): { counted: Counted; ofAccount: Counted } {
  const account = email.toLowerCase();
  const network = clientNetwork(clientAddress);
  const ofAccount: Counted = [
    [limits.signInByNetworkAndAccount, `${network} ${account}`],
    known ? [limits.signInByKnownDevice, known.id] : [limits.signInByAccount, account],
  ];
  const ofStrangers: Counted = [
    [limits.signInBySubnet, subnetOf(clientAddress)],
    ...ofWholeSite("signIn", clientAddress, effort),
  ];
  const counted: Counted = [
    [limits.signInByNetwork, network],
    ...(known ? [] : ofStrangers),
    ...ofAccount,
  ];
  return { counted, ofAccount };
}

type Person = {
  id: string;
  kind: "customer" | "operator";
  hash: string | null;
  state: OperatorState | null;
  isFrozen: boolean;
  hasMfa: boolean;
};

const begin = preparedSql<Person & { overUntilMs: string | null; overWhich: number | null }>(
  "identity_begin_sign_in",
  sql`
    select (extract(epoch from over_until) * 1000)::bigint as "overUntilMs", over_which as "overWhich", person as id, kind, hash, state,
      frozen as "isFrozen", has_mfa as "hasMfa"
    from begin_sign_in(${counting}, ${sql.placeholder("account")})`,
);

/**
 * Counts the attempt and finds whom it is about.
 *
 * @throws Busy, TooManyAttempts
 */
async function beginSignIn(
  db: Db,
  about: { counted: Counted; account: string; now: Date },
): Promise<Person | null> {
  const { counted, account, now } = about;
  const [found] = await begin(db, { ...toCount(counted, now), account });
  requireUnder(counted, found?.overUntilMs ? found : null);
  return found ?? null;
}

function openWholeSession(
  { db, ...entrance }: { db: Db } & Entrance,
  opening: Opening,
): Promise<string[]> {
  if (opening.knownDevice) return openKnownBrowserSession(db, entrance, opening);
  return db.transaction((tx) => openSession(tx, entrance, opening));
}

/**
 * Refuses when the password was changed while it was being checked. The lock waits for a change under way; one that
 * comes later finds the session and ends it.
 */
async function requireSamePassword(tx: Tx, userId: string, hash: string | null): Promise<void> {
  const [now] = await tx
    .select({ hash: credentials.password })
    .from(credentials)
    .where(eq(credentials.userId, userId))
    .for("share");
  if (now?.hash !== hash) throw new Refusal("identity/sign-in-failed");
}

async function openPendingMfaSession(
  db: Db,
  auth: Auth,
  hash: string,
  half: { userId: string; rememberMe: boolean; knownDevice: boolean; now: Date },
): Promise<string> {
  const { now, ...rest } = half;
  const token = randomBytes(32).toString("base64url");
  await db.transaction(async (tx) => {
    await requireSamePassword(tx, half.userId, hash);
    await tx.insert(pendingMfaSessions).values({
      id: randomUUIDv7(),
      ...rest,
      tokenSha256: hashToken(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + securityTerms.pendingMfaMinutes * 60_000),
    });
  });
  return pendingMfaCookie(auth, token);
}
