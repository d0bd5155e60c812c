/**
 * A cookie's name as browsers know it. Where the site is served over TLS it begins with `__Host-`: browsers then take it
 * from this very host alone, over TLS, for all of its pages, so that neither a neighbouring host nor who stands on the
 * way can plant one.
 */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** What stands under that name in a Cookie header or in `document.cookie`, as it was sent; null when nothing does. */
export function findCookie(cookies: string | null, name: string, secure: boolean): string | null {
  const before = `${cookieName(name, secure)}=`;
  const found = cookies?.split(/;\s*/).find((pair) => pair.startsWith(before));
  return found?.slice(before.length) ?? null;
}
