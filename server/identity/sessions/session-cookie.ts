import { parse, serialize } from "hono/utils/cookie";
import { cookieName } from "#core/cookie-name.ts";
import { securityTerms } from "#core/people/security-terms.ts";
import { terms } from "#core/terms.ts";
import type { Auth } from "./auth.ts";

/** The session itself, and what stands for one between the password and the second factor. */
type Name = "session_token" | "half_session";

/** The token that a request's cookies carry, or null. */
export function readToken(auth: Auth, name: Name, cookieHeader: string): string | null {
  const full = nameOf(auth, name);
  return parse(cookieHeader, full)[full] || null;
}

/** A cookie that lasts as long as the browser, or as the session when it shall be remembered. */
export function sessionCookie(auth: Auth, token: string, rememberMe: boolean): string {
  return cookie(
    auth,
    "session_token",
    token,
    rememberMe ? terms.rememberedSessionDays * 86_400 : null,
  );
}

export function pendingMfaCookie(auth: Auth, token: string): string {
  return cookie(auth, "half_session", token, securityTerms.pendingMfaMinutes * 60);
}

/** Makes the browser forget it. */
export function forgetCookie(auth: Auth, name: Name): string {
  return cookie(auth, name, "", 0);
}

function cookie(auth: Auth, name: Name, value: string, maxAge: number | null): string {
  return serialize(nameOf(auth, name), value, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: auth.secureCookies,
    ...(maxAge !== null && { maxAge }),
  });
}

function nameOf(auth: Auth, name: Name): string {
  return cookieName(`assay.${name}`, auth.secureCookies);
}
