import { eq } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import type { Auth } from "./auth.ts";
import { sessions } from "./schema.ts";

/**
 * Ends the session that the request came with and returns the cookies that forget it. Fails when the
 * database does: a session must not live on behind a page that says signed out.
 */
export async function signOut(
  { db, auth }: { db: Db; auth: Auth },
  request: Request,
): Promise<{ cookies: string[] }> {
  const found = await auth.api.getSession({ headers: request.headers });
  if (found) await db.delete(sessions).where(eq(sessions.id, found.session.id));
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  return { cookies: headers.getSetCookie() };
}
