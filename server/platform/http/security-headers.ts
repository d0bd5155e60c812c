import type { Config } from "../config.ts";

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
  if (page.config.appUrl.startsWith("https:")) {
    set("strict-transport-security", "max-age=63072000; includeSubDomains");
  }
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
