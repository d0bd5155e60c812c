import { LRUCache } from "lru-cache";
import { hashToken } from "../registration/issue-link.ts";
import type { Auth } from "../sessions/auth.ts";
import { readToken } from "../sessions/session-cookie.ts";

/** Sessions by the hash of their tokens. One counts as open for a quarter of an hour after it was last found so. */
const opened = new LRUCache<string, true>({ max: 40_000, ttl: 15 * 60_000 });

/**
 * Whether the session of a request's cookies opened something here a while ago. It tells only who waits behind whom: what a
 * session opens now, the database is asked each time.
 */
export function openedLately(auth: Auth, cookieHeader: string): boolean {
  const token = readToken(auth, "session_token", cookieHeader);
  return token !== null && opened.has(keyOf(hashToken(token)));
}

/** Keeps in mind whether the session behind a token was open. */
export function noteOpened(tokenHash: Buffer, isOpen: boolean): void {
  if (isOpen) opened.set(keyOf(tokenHash), true);
  else opened.delete(keyOf(tokenHash));
}

function keyOf(tokenHash: Buffer): string {
  return tokenHash.toString("base64url");
}
