import { APIError } from "better-auth/api";
import { sql } from "drizzle-orm";
import { data, redirect } from "react-router";
import type { Db } from "../platform/database.ts";
import type { Auth } from "./auth.ts";

export interface SignedInUser {
  id: string;
  kind: "customer" | "operator";
}

/** Who sent the request, going by its session cookie, or null. */
export async function findSignedInUser(
  { auth, db }: { auth: Auth; db: Db },
  request: Request,
): Promise<SignedInUser | null> {
  if (!request.headers.has("cookie")) return null;
  const { headers } = request;
  const session = await auth.api.getSession({ headers }).catch((error) => raiseCause(db, error));
  if (!session) return null;
  return { id: session.user.id, kind: session.user.kind === "operator" ? "operator" : "customer" };
}

/**
 * better-auth hides why it failed. When the database is away, asking it again raises the error that says so,
 * which becomes a 503.
 */
export async function raiseCause(db: Db, error: unknown): Promise<never> {
  if (error instanceof APIError && error.statusCode >= 500) await db.execute(sql`select 1`);
  throw error;
}

/** Sends a stranger to the sign-in page, which leads back to the page that was wanted. */
export function signInFirst({ pathname, search }: URL): Response {
  return redirect(`/login?next=${encodeURIComponent(pathname + search)}`);
}

/** The same answer as for a page that does not exist: nothing is said about what stands behind it. */
export function turnAway() {
  return data(null, { status: 404, statusText: "Not Found" });
}
