import { randomBytes, randomUUIDv7 } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import { browserName } from "#core/browser-name.ts";
import { Refusal } from "#core/refusal.ts";
import { securityTerms } from "#core/security-terms.ts";
import { terms } from "#core/terms.ts";
import type { Tx } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { recordAccountEvent } from "./account-events.ts";
import type { Auth } from "./auth.ts";
import { hashToken } from "./issue-link.ts";
import type { Proof } from "./proof.ts";
import { queueSecurityMail } from "./queue-security-mail.ts";
import { accountEvents, customers, sessions } from "./schema.ts";
import { readToken, sessionCookie } from "./session-cookie.ts";

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
}

/**
 * Opens a session with a token that nobody has seen before, in place of the one that the request came with, and
 * writes it into the account's history. A browser that is new to an account that was used before is told by mail.
 * PostgreSQL refuses it for a frozen account, and by a password alone where a second factor is needed.
 *
 * @throws Refusal `identity/sign-in-failed` when the account is closed
 *
 * @returns the cookies to set
 */
export async function openSession(
  tx: Tx,
  { auth, config }: { auth: Auth; config: Site },
  opening: Opening,
): Promise<string[]> {
  const { userId, provedBy, rememberMe, clientAddress, now } = opening;
  const userAgent = opening.userAgent.slice(0, 300);
  if (await isClosed(tx, userId)) throw new Refusal("identity/sign-in-failed");
  const before = readToken(auth, "session_token", opening.cookieHeader);
  if (before) await tx.delete(sessions).where(eq(sessions.tokenSha256, hashToken(before)));
  const token = randomBytes(32).toString("base64url");
  await tx.insert(sessions).values({
    id: randomUUIDv7(),
    userId,
    tokenSha256: hashToken(token),
    expiresAt: new Date(now.getTime() + sessionMs(rememberMe)),
    ipAddress: clientAddress,
    userAgent,
    provedBy,
    provedAt: now,
    lastUsedAt: now,
    unusedMinutes: unusedMinutes(opening),
    createdAt: now,
  });
  if (!opening.knownDevice && (await hasSignedInBefore(tx, userId))) {
    await tellOfNewDevice(tx, config, { ...opening, userAgent });
  }
  const event = { userId, event: "signed-in", by: "self", detail: { by: provedBy } } as const;
  await recordAccountEvent(tx, { ...event, ipAddress: clientAddress, userAgent, now });
  return [sessionCookie(auth, token, rememberMe)];
}

async function isClosed(tx: Tx, userId: string): Promise<boolean> {
  const closed = await tx
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.id, userId), isNotNull(customers.closedAt)));
  return closed.length > 0;
}

function sessionMs(rememberMe: boolean): number {
  return rememberMe
    ? terms.rememberedSessionDays * 86_400_000
    : terms.forgottenSessionHours * 3_600_000;
}

function unusedMinutes({ kind, rememberMe }: Opening): number {
  const { staff, customer, remembered } = securityTerms.unusedMinutes;
  if (kind === "operator") return staff;
  return rememberMe ? remembered : customer;
}

async function hasSignedInBefore(tx: Tx, userId: string): Promise<boolean> {
  const before = await tx
    .select({ id: accountEvents.id })
    .from(accountEvents)
    .where(and(eq(accountEvents.userId, userId), eq(accountEvents.event, "signed-in")))
    .limit(1);
  return before.length > 0;
}

async function tellOfNewDevice(tx: Tx, site: Site, opening: Opening): Promise<void> {
  const { userId, now } = opening;
  await queueSecurityMail(tx, {
    userId,
    news: {
      what: "new-device",
      sentence:
        "Somebody signed in to your account from a browser that has not been used for it before.",
      facts: [
        ["Browser", browserName(opening.userAgent)],
        ["Address", opening.clientAddress],
      ],
    },
    site,
    now,
  });
}
