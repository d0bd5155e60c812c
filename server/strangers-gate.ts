import { availableParallelism } from "node:os";
import type { Auth } from "./identity/auth.ts";
import { isKnownBrowser } from "./identity/known-device.ts";
import { openedLately } from "./identity/opened-lately.ts";
import { openGate } from "./platform/open-gate.ts";

/** @throws Busy when too many strangers wait already, or one waited in vain */
export type StrangersGate = (
  request: Request,
  answer: () => Promise<Response>,
) => Promise<Response>;

/** Browsers in which somebody has signed in before go first, as they do for their passwords: identity/password.ts. */
const rooms = {
  known: { places: 200, waitMs: 10_000 },
  strangers: { places: 200, waitMs: 10_000 },
};

/** More than all who may wait for their passwords to be hashed: they wait there, in lanes of their own. */
const formsAtATime = 128 * Math.max(2, availableParallelism());

/**
 * Lets so many pages be made for strangers at a time, and so many of their forms be answered, however many ask. Whose session has
 * opened something lately passes by. A session that nobody here has heard of is a stranger's until the page has asked the database
 * about it: a made-up one brings nothing.
 */
export function openStrangersGate(auth: Auth): StrangersGate {
  const throughPages = openGate(2, rooms);
  const throughForms = openGate(formsAtATime, rooms);
  return (request, answer) => {
    const cookies = request.headers.get("cookie") ?? "";
    if (openedLately(auth, cookies)) return answer();
    const lane = isKnownBrowser(auth, cookies) ? "known" : "strangers";
    return request.method === "POST" ? throughForms(lane, answer) : throughPages(lane, answer);
  };
}
