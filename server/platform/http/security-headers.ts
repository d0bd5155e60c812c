import { cookieName } from "#core/cookie-name.ts";
import type { Config } from "../config.ts";

const hostPrefix = cookieName("", true);

/** What allows a page's own inline scripts and styles: its nonce, or the hash of each. */
export interface InlineSources {
  scripts: string[];
  styles: string[];
}

/**
 * Sets the headers that every page carries. A page that chose a policy of its own keeps it: a slip is
 * served under `sandbox`, which is stricter.
 */
export function securityHeaders(
  headers: Headers,
  page: { sources: InlineSources; requestId: string; config: Config; development: boolean },
): void {
  const set = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  set("content-security-policy", contentSecurityPolicy(page.sources, page.development));
  set("x-content-type-options", "nosniff");
  set("referrer-policy", "strict-origin-when-cross-origin");
  set("cross-origin-opener-policy", "same-origin");
  set("cross-origin-resource-policy", "same-origin");
  set("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()");
  set("x-request-id", page.requestId);
  // What a page shows may be anybody's money: nothing is kept by caches on the way.
  set("cache-control", "private, no-store");
  secureTransport(headers, page.config);
}

/**
 * Sets the headers of an answer that is no page: a file of the build, figures for a chart, a refusal. Nothing of it is
 * guessed to be a page, put into a frame, or kept from TLS. Its caching is its own.
 */
export function plainAnswerHeaders(headers: Headers, config: Pick<Config, "appUrl">): void {
  const set = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  set(
    "content-security-policy",
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  set("x-content-type-options", "nosniff");
  secureTransport(headers, config);
}

/** Where there is TLS, browsers insist on it, send no cookie without it, and take one from this very host alone. */
function secureTransport(headers: Headers, { appUrl }: Pick<Config, "appUrl">): void {
  if (!appUrl.startsWith("https:")) return;
  if (!headers.has("strict-transport-security")) {
    headers.set("strict-transport-security", "max-age=63072000; includeSubDomains");
  }
  const cookies = headers.getSetCookie();
  headers.delete("set-cookie");
  for (const cookie of cookies) headers.append("set-cookie", ofThisHost(cookie));
}

function ofThisHost(cookie: string): string {
  const isSecure = /;\s*secure\s*(?:;|$)/i.test(cookie);
  const secured = isSecure ? cookie : `${cookie}; Secure`;
  return cookie.startsWith(hostPrefix) ? secured : hostPrefix + secured;
}

export function allowNonce(nonce: string): InlineSources {
  return { scripts: [`'nonce-${nonce}'`], styles: [`'nonce-${nonce}'`] };
}

function contentSecurityPolicy({ scripts, styles }: InlineSources, development: boolean): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(" "),
    // In development the server injects styles without the nonce.
    development ? "style-src 'self' 'unsafe-inline'" : ["style-src 'self'", ...styles].join(" "),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    development ? "connect-src 'self' ws:" : "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
