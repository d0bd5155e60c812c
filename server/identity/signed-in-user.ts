import { data, redirect } from "react-router";
import type { Auth } from "./auth.ts";

export interface SignedInUser {
  id: string;
  kind: "customer" | "operator";
}

/** Who sent the request, going by its session cookie, or null. */
export async function findSignedInUser(auth: Auth, request: Request): Promise<SignedInUser | null> {
  if (!request.headers.has("cookie")) return null;
  const session = await auth.api.getSession({ headers: request.headers });
  if (!session) return null;
  return { id: session.user.id, kind: session.user.kind === "operator" ? "operator" : "customer" };
}

/** Sends a stranger to the sign-in page, which leads back to the page that was wanted. */
export function signInFirst(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  return redirect(`/login?next=${encodeURIComponent(pathname + search)}`);
}

/** The same answer as for a page that does not exist: nothing is said about what stands behind it. */
export function turnAway() {
  return data(null, { status: 404, statusText: "Not Found" });
}
