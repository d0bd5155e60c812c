import { createHash, randomUUID } from "node:crypto";
import { parseSigned, serializeSigned } from "hono/utils/cookie";
import { terms } from "#core/terms.ts";
import type { Auth } from "./auth.ts";

/** What a browser is known by that has signed in to an account before: a random id, bound to the account. */
export interface KnownDevice {
  id: string;
}

/**
 * Finds whether the request's cookies show that this browser has signed in to the account before. Such a
 * browser has a limit of its own, so that whoever guesses at an account from everywhere does not lock its
 * owner out (OWASP's "device cookies").
 */
export async function findKnownDevice(
  auth: Auth,
  account: string,
  cookieHeader: string,
): Promise<KnownDevice | null> {
  const name = cookieName(auth);
  const found =
    (await parseSigned(cookieHeader, auth.secret, name))[name] ||
    (auth.secretBefore && (await parseSigned(cookieHeader, auth.secretBefore, name))[name]);
  const [id, mark] = found ? found.split(":") : [];
  return id && mark === markOf(account) ? { id } : null;
}

/** The cookie for a browser that has just signed in. It lasts as long as the session that was asked for. */
export function rememberDevice(
  auth: Auth,
  account: string,
  { rememberMe, known }: { rememberMe: boolean; known: KnownDevice | null },
): Promise<string> {
  const value = `${known?.id ?? randomUUID()}:${markOf(account)}`;
  return serializeSigned(cookieName(auth), value, auth.secret, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: auth.secureCookies,
    ...(rememberMe && { maxAge: terms.rememberedSessionDays * 86_400 }),
  });
}

function cookieName(auth: Auth): string {
  return `${auth.secureCookies ? "__Host-" : ""}assay.known_device`;
}

/** The account is in the cookie as a hash: the address itself stands in no file of the browser. */
function markOf(account: string): string {
  return createHash("sha256").update(account).digest("base64url");
}
