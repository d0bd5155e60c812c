import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { parse, serialize } from "hono/utils/cookie";
import { cookieName } from "#core/cookie-name.ts";
import { securityTerms } from "#core/people/security-terms.ts";
import type { Auth } from "../sessions/auth.ts";

/** What a browser is known by that has signed in to an account before: a random id, bound to the account. */
export interface KnownDevice {
  id: string;
  /** What its second signature was made over, but for the password, and that signature. */
  device: string;
  withPassword: string;
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
  const [device = "", signature = "", withPassword = ""] = value.split(".");
  const [id, mark = ""] = device.split(":");
  const isOurs = isSigned(auth, device, signature) && isSigned(auth, markOf(account), mark);
  return isOurs && id ? { id, device, withPassword } : null;
}

/** What names the browser that sent these cookies, if somebody, whoever it is, has signed in there before; null: nobody has. */
export function findKnownBrowser(auth: Auth, cookieHeader: string): string | null {
  const name = nameOf(auth);
  const [device = "", signature = ""] = (parse(cookieHeader, name)[name] ?? "").split(".");
  return device !== "" && isSigned(auth, device, signature) ? device : null;
}

/**
 * Whether it has signed in since the account got its present password. A new one is set to shut somebody out, too: should
 * he get in again from his browser, the account's owner is told as of one that nobody knows.
 */
export function isKnownSincePassword(auth: Auth, known: KnownDevice | null, hash: string): boolean {
  return known !== null && isSigned(auth, `${known.device}\0${hash}`, known.withPassword);
}

/**
 * The cookie for a browser that has just signed in. It outlives the session: it opens nothing, it only says that the next
 * sign-in is not a stranger's.
 */
export function rememberDevice(
  auth: Auth,
  account: string,
  { known, hash }: { known: KnownDevice | null; hash: string },
): string {
  const device = `${known?.id ?? randomUUID()}:${sign(auth.secret, markOf(account))}`;
  const signatures = [device, `${device}\0${hash}`].map((text) => sign(auth.secret, text));
  return serialize(nameOf(auth), [device, ...signatures].join("."), {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: auth.secureCookies,
    maxAge: securityTerms.knownBrowserDays * 86_400,
  });
}

/** At once, not on Node's other threads as a cookie library does it: those are taken by hashes when many sign in. */
function sign(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64");
}

function isSigned(auth: Auth, text: string, signature: string): boolean {
  return [auth.secret, auth.secretBefore].some(
    (secret) => secret !== null && isEqual(sign(secret, text), signature),
  );
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function nameOf(auth: Auth): string {
  return cookieName("assay.known_device", auth.secureCookies);
}

/** The account is in the cookie as a signature over this: only we can tell whose it is, whoever opens the browser. */
function markOf(account: string): string {
  return `account\0${account}`;
}
