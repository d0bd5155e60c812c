import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { type MfaResponse, verifyMfa } from "../mfa/verify-mfa.ts";
import { pendingMfaSessions } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { type Entrance, openSession } from "../sessions/open-session.ts";
import { forgetCookie } from "../sessions/session-cookie.ts";
import type { SignedInUser } from "../sessions/signed-in-user.ts";
import type { Proof } from "../step-up/proof.ts";
import { countingCodes } from "./count-codes.ts";
import { findKnownDevice, rememberDevice } from "./known-device.ts";
import {
  countMfaAttempt,
  findPendingMfaSession,
  type PendingMfaSession,
} from "./pending-mfa-session.ts";

/** Where a request comes from that opens a session. */
export interface Visitor {
  clientAddress: string;
  userAgent: string;
  cookieHeader: string;
  now: Date;
}

/**
 * Completes a sign-in with the second factor. A pending MFA session has five attempts; over several, strangers to the account have
 * a limit together, and each known browser one of its own.
 *
 * @throws Refusal `identity/wrong-code`, `identity/passkey-refused`, `identity/sign-in-again`
 * @throws TooManyAttempts
 */
export async function passMfa(
  app: { db: Db } & Entrance,
  visitor: Visitor,
  factor: MfaResponse,
): Promise<{ user: SignedInUser; cookies: string[] }> {
  const { now } = visitor;
  const half = await requirePendingMfaSession(app, visitor);
  const { userId } = half;
  const known = findKnownDevice(app.auth, half.email, visitor.cookieHeader);
  // A browser from before the present password may be whom that shut out.
  const by = known && half.knownDevice ? { deviceId: known.id } : "stranger";
  return countingCodes(app, { ...visitor, userId, by }, factor, async () => {
    await countMfaAttempt(app.db, half);
    return app.db.transaction(async (tx) => {
      const proof = await verifyMfa(tx, app, { userId, factor, now });
      return completeSignIn(tx, app, visitor, half, proof);
    });
  });
}

/**
 * The pending MFA session of a request.
 *
 * @throws Refusal `identity/sign-in-again`
 */
export async function requirePendingMfaSession(
  app: { db: Db; auth: Auth },
  { cookieHeader, now }: Pick<Visitor, "cookieHeader" | "now">,
): Promise<PendingMfaSession> {
  const half = await findPendingMfaSession(app, cookieHeader, now);
  if (!half) throw new Refusal("identity/sign-in-again");
  return half;
}

/** Turns a pending MFA session into a session, once. */
export async function completeSignIn(
  tx: Tx,
  entrance: Entrance,
  visitor: Visitor,
  half: PendingMfaSession,
  provedBy: Proof,
): Promise<{ user: SignedInUser; cookies: string[] }> {
  const { auth } = entrance;
  const { userId, rememberMe, knownDevice, email, kind, hash } = half;
  const ended = await tx
    .delete(pendingMfaSessions)
    .where(eq(pendingMfaSessions.id, half.id))
    .returning({ id: pendingMfaSessions.id });
  // A new password or a freeze has ended it meanwhile, or it was used a moment ago.
  if (ended.length === 0) throw new Refusal("identity/sign-in-again");
  const opening = { ...visitor, userId, kind, rememberMe, knownDevice, provedBy };
  const cookies = await openSession(tx, entrance, opening);
  const known = findKnownDevice(auth, email, visitor.cookieHeader);
  const device = rememberDevice(auth, email, { known, hash });
  const forgotten = forgetCookie(auth, "half_session");
  return { user: { id: userId, kind }, cookies: [...cookies, forgotten, device] };
}
