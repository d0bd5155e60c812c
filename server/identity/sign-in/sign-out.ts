import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { hashToken } from "../registration/issue-link.ts";
import { sessions } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { forgetCookie, readToken } from "../sessions/session-cookie.ts";
import { noteOpened } from "../step-up/opened-lately.ts";

/**
 * Ends the session that the request came with and returns the cookies that forget it. Fails when the
 * database does: a session must not live on behind a page that says signed out.
 */
export async function signOut(
  { db, auth }: { db: Db; auth: Auth },
  request: Request,
): Promise<{ cookies: string[] }> {
  const token = readToken(auth, "session_token", request.headers.get("cookie") ?? "");
  if (token) {
    await db.delete(sessions).where(eq(sessions.tokenSha256, hashToken(token)));
    noteOpened(hashToken(token), false);
  }
  return { cookies: [forgetCookie(auth, "session_token"), forgetCookie(auth, "half_session")] };
}
