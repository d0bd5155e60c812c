import { randomBytes, randomUUIDv7 } from "node:crypto";
import { securityTerms } from "#core/people/security-terms.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { sql } from "#server/platform/sql.ts";
import { preparedSql } from "../../platform/database/prepared.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { IpCountry } from "../../platform/ip-country.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { keysOf, type Limit } from "../../platform/rate-limit.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { queueSecurityMail } from "../account/queue-security-mail.ts";
import { refusals } from "../refusals.ts";
import { hashToken } from "../registration/issue-link.ts";
import { browserFacts } from "../sign-in/browser-facts.ts";
import { noteOpened } from "../step-up/opened-lately.ts";
import type { Proof } from "../step-up/proof.ts";
import type { Auth } from "./auth.ts";
import { readToken, sessionCookie } from "./session-cookie.ts";

/** What a session is opened with. */
export interface Entrance {
  auth: Auth;
  config: Site;
  /** Names the country that a new browser's address is in, where the operator's file knows it. */
  ipCountry: Pick<IpCountry, "find">;
}

export interface Opening {
  userId: string;
  kind: "customer" | "operator";
  provedBy: Proof;
  rememberMe: boolean;
  /** Whether this browser has signed in to the account before. */
  knownDevice: boolean;
  clientAddress: string;
  userAgent: string;
  cookieHeader: string;
  now: Date;
  /** What a right password answers for: its hash must still be the account's, and these attempts count no more. */
  password?: { hash: string; attempts: ReadonlyArray<readonly [limit: Limit, who: string]> };
}

/**
 * Opens a session with a token that nobody has seen before, in place of the one that the request came with, and
 * writes it into the account's history. A browser that is new to an account that was used before is told by mail.
 * PostgreSQL refuses it for a frozen account, and by a password alone where a second factor is needed.
 *
 * @throws Refusal `identity/sign-in-failed` when the account is closed, or its password was changed or a first second
 * factor added meanwhile; `identity/account-frozen`
 *
 * @returns the cookies to set
 */
export async function openSession(
  tx: Tx,
  { auth, config, ipCountry }: Entrance,
  opening: Opening,
): Promise<string[]> {
  const { cookies, isNewBrowser } = await insertSession(tx, auth, opening);
  if (isNewBrowser) await tellOfNewDevice(tx, { config, ipCountry }, opening);
  return cookies;
}

/** The same in a browser that is known: nobody is told of it, so it takes one statement and no transaction around it. */
export async function openKnownBrowserSession(
  db: Db,
  { auth }: { auth: Auth },
  opening: Omit<Opening, "knownDevice">,
): Promise<string[]> {
  return (await insertSession(db, auth, { ...opening, knownDevice: true })).cookies;
}

async function insertSession(
  db: Db | Tx,
  auth: Auth,
  opening: Opening,
): Promise<{ cookies: string[]; isNewBrowser: boolean }> {
  const { userId, rememberMe, clientAddress, provedBy, knownDevice, password, now } = opening;
  const token = randomBytes(32).toString("base64url");
  const before = readToken(auth, "session_token", opening.cookieHeader);
  const expiresAt = new Date(now.getTime() + sessionMs(rememberMe));
  const [session] = await refusedBy(refusals, () =>
    open(db, {
      id: randomUUIDv7(),
      userId,
      token: hashToken(token),
      tokenBefore: before && hashToken(before),
      now: now.toISOString(),
      expiresAt: expiresAt.toISOString(),
      idleMinutes: idleMinutes(opening),
      clientAddress,
      userAgent: opening.userAgent.slice(0, 300),
      provedBy,
      knownDevice,
      historyId: randomUUIDv7(),
      checkedHash: password?.hash ?? null,
      answered: password ? keysOf(password.attempts) : null,
    }),
  );
  if (!session?.opened) throw new Refusal("identity/sign-in-failed");
  noteOpened(hashToken(token), true);
  const cookies = [sessionCookie(auth, token, rememberMe)];
  return { cookies, isNewBrowser: session.isNewBrowser };
}

const given = sql.placeholder;
const open = preparedSql<{ opened: boolean; isNewBrowser: boolean }>(
  "identity_open_session",
  sql`
    select opened, signed_in_before as "isNewBrowser" from open_session(
      ${given("id")}, ${given("userId")}, ${given("token")}, ${given("tokenBefore")}, ${given("now")},
      ${given("expiresAt")}, ${given("idleMinutes")}, ${given("clientAddress")}, ${given("userAgent")},
      ${given("provedBy")}, ${given("knownDevice")}, ${given("historyId")}, ${given("checkedHash")}, ${given("answered")})`,
);

function sessionMs(rememberMe: boolean): number {
  return rememberMe
    ? terms.rememberedSessionDays * 86_400_000
    : terms.forgottenSessionHours * 3_600_000;
}

function idleMinutes({ kind, rememberMe }: Opening): number {
  const { staff, customer, remembered } = securityTerms.idleMinutes;
  if (kind === "operator") return staff;
  return rememberMe ? remembered : customer;
}

async function tellOfNewDevice(
  tx: Tx,
  { config: site, ipCountry }: Pick<Entrance, "config" | "ipCountry">,
  opening: Opening,
): Promise<void> {
  const { userId, now } = opening;
  await queueSecurityMail(tx, {
    userId,
    news: {
      what: "new-device",
      sentence:
        "Someone signed in to your account with a new browser: one never used for it, or not since you changed your password.",
      facts: browserFacts(ipCountry, opening),
    },
    site,
    now,
  });
}
