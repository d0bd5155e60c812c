import type { Limit } from "../platform/rate-limit.ts";

/**
 * How often somebody may write. Without a solved challenge (no JavaScript, or a program) the form still works, under the
 * stricter limits; some are counted over the whole site, so that a flood from many places ends at a number that staff can
 * read, and our mail server is no cannon.
 */
export const limits = {
  messagesByNetwork: { purpose: "contact/network", max: 10, windowMinutes: 60 },
  messagesByEmail: { purpose: "contact/email", max: 5, windowMinutes: 60 },
  answersByThread: { purpose: "contact/thread", max: 20, windowMinutes: 24 * 60 },
  messagesByCustomer: { purpose: "contact/customer", max: 10, windowMinutes: 60 },
  filesByCustomer: { purpose: "contact/file", max: 30, windowMinutes: 60 },
  withoutWorkByNetwork: { purpose: "contact/without-work/network", max: 3, windowMinutes: 60 },
  withoutWork: { purpose: "contact/without-work", max: 60, windowMinutes: 60 },
  challengesByNetwork: { purpose: "contact/challenge/network", max: 60, windowMinutes: 10 },
  /** Anybody can type anybody's address: its owner hears of it at most once a day. */
  acknowledgementsByEmail: { purpose: "contact/acknowledge", max: 1, windowMinutes: 24 * 60 },
  acknowledgements: { purpose: "contact/acknowledge-all", max: 120, windowMinutes: 60 },
  /** Beyond it the queue in the console says enough. */
  operatorMails: { purpose: "contact/tell-operators", max: 60, windowMinutes: 60 },
} as const satisfies Record<string, Limit>;

/** Who is counted when everybody is. */
export const everybody = "everybody";
