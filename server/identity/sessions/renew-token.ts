import { randomBytes } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { hashToken } from "../registration/issue-link.ts";
import { sessions } from "../schema.ts";
import type { Proof } from "../step-up/proof.ts";
import type { Auth } from "./auth.ts";
import { sessionCookie } from "./session-cookie.ts";

/**
 * Gives a session a new token, and the proof that it rests on from now on, if one was shown. Somebody may hold a copy of
 * the one before; whoever has just shown a password or a factor has not shown it for him.
 *
 * @returns the cookie to set
 * @throws Refusal `identity/sign-in-again` when the session was ended meanwhile
 */
export async function renewToken(
  tx: Tx,
  auth: Auth,
  sessionId: string,
  shown: { provedBy: Proof; provedAt: Date } | null,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const [session] = await tx
    .update(sessions)
    .set({ tokenSha256: hashToken(token), ...shown })
    .where(eq(sessions.id, sessionId))
    .returning({ createdAt: sessions.createdAt, expiresAt: sessions.expiresAt });
  if (!session) throw new Refusal("identity/sign-in-again");
  const lastsMs = session.expiresAt.getTime() - session.createdAt.getTime();
  return sessionCookie(auth, token, lastsMs > terms.forgottenSessionHours * 3_600_000);
}
