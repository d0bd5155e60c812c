import type { Auth } from "./identity/sessions/auth.ts";
import { findKnownBrowser } from "./identity/sign-in/known-device.ts";
import { openedLately } from "./identity/step-up/opened-lately.ts";
import { limitConcurrency } from "./platform/limit-concurrency.ts";
import { ownProcessors } from "./platform/own-processors.ts";
import { subnetOf } from "./platform/rate-limit.ts";

/** @throws Busy when too many strangers wait already, or one waited in vain */
export type AnonymousLimit = (
  request: Request,
  clientAddress: string,
  answer: () => Promise<Response>,
) => Promise<Response>;

/** Browsers in which somebody has signed in before go first, as they do for their passwords: identity/passwords/password.ts. */
const limits = {
  known: { places: 200, waitMs: 10_000 },
  strangers: { places: 200, waitMs: 10_000 },
};

/** Of a room for one network (/24, /48), and for one browser that is known: nobody fills it alone. */
const shareOf = { network: 50, browser: 4 };

/** More than all who may wait for their passwords to be hashed: they wait there, in queues of their own. */
const formsAtATime = 128 * Math.max(2, ownProcessors);

/**
 * Lets so many pages be made for strangers at a time, and so many of their forms be answered, however many ask. Whose session has
 * opened something lately passes by. A session that nobody here has heard of is a stranger's until the page has asked the database
 * about it: a made-up one brings nothing.
 */
export function limitAnonymousRequests(auth: Auth): AnonymousLimit {
  const throughPages = limitConcurrency(2, limits, { lastGoesEvery: 4 });
  const throughForms = limitConcurrency(formsAtATime, limits, { lastGoesEvery: 4 });
  return (request, clientAddress, answer) => {
    const cookies = request.headers.get("cookie") ?? "";
    if (openedLately(auth, cookies)) return answer();
    const browser = findKnownBrowser(auth, cookies);
    const turn = {
      queues: [browser === null ? ("strangers" as const) : ("known" as const)],
      shares: [
        [subnetOf(clientAddress), shareOf.network] as const,
        ...(browser === null ? [] : [[browser, shareOf.browser] as const]),
      ],
      get signal() {
        return request.signal;
      },
    };
    return request.method === "POST" ? throughForms(turn, answer) : throughPages(turn, answer);
  };
}
