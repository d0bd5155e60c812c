import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { parse, serialize } from "hono/utils/cookie";
import { cookieName } from "#core/cookie-name.ts";
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
export function findKnownDevice(
  auth: Auth,
  account: string,
  cookieHeader: string,
): KnownDevice | null {
  const name = nameOf(auth);
  const value = parse(cookieHeader, name)[name] ?? "";
  const [device, signature] = splitAtLast(value, ".");
  const isOurs = [auth.secret, auth.secretBefore].some(
    (secret) => secret !== null && isEqual(sign(secret, device), signature),
  );
  const [id, mark] = device.split(":");
  return isOurs && id && mark === markOf(account) ? { id } : null;
}

/** The cookie for a browser that has just signed in. It lasts as long as the session that was asked for. */
export function rememberDevice(
  auth: Auth,
  account: string,
  { rememberMe, known }: { rememberMe: boolean; known: KnownDevice | null },
): string {
  const device = `${known?.id ?? randomUUID()}:${markOf(account)}`;
  return serialize(nameOf(auth), `${device}.${sign(auth.secret, device)}`, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: auth.secureCookies,
    ...(rememberMe && { maxAge: terms.rememberedSessionDays * 86_400 }),
  });
}

/** At once, not on Node's other threads as a cookie library does it: those are taken by hashes when many sign in. */
function sign(secret: string, device: string): string {
  return createHmac("sha256", secret).update(device).digest("base64");
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function splitAtLast(text: string, mark: string): [string, string] {
  const at = text.lastIndexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function nameOf(auth: Auth): string {
  return cookieName("assay.known_device", auth.secureCookies);
}

/** The account is in the cookie as a hash: the address itself stands in no file of the browser. */
function markOf(account: string): string {
  return createHash("sha256").update(account).digest("base64url");
}
