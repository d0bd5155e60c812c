import { openRecentStore } from "../../platform/http/recent-store.ts";
import { hashToken } from "../registration/issue-link.ts";
import type { Auth } from "../sessions/auth.ts";
import { readToken } from "../sessions/session-cookie.ts";

/** So long a session counts as open after it was last found so. */
const latelyMs = 15 * 60_000;

/** Until when each counts, by the hash of its token: some 40,000 sessions. */
const opened = openRecentStore<number>(8 * 1024 * 1024, () => 100);

/**
 * Whether the session of a request's cookies opened something here a while ago. It tells only who waits behind whom: what a
 * session opens now, the database is asked each time.
 */
export function openedLately(auth: Auth, cookieHeader: string): boolean {
  const token = readToken(auth, "session_token", cookieHeader);
  return token !== null && (opened.get(keyOf(hashToken(token))) ?? 0) > performance.now();
}

/** Keeps in mind whether the session behind a token was open. */
export function noteOpened(tokenHash: Buffer, isOpen: boolean): void {
  if (isOpen) opened.set(keyOf(tokenHash), performance.now() + latelyMs);
  else opened.delete(keyOf(tokenHash));
}

function keyOf(tokenHash: Buffer): string {
  return tokenHash.toString("base64url");
}
