import type { Limit } from "../platform/rate-limit.ts";

/** How often somebody may ask for the newsletter. Anybody can type anybody's address: its owner is mailed only so often. */
export const limits = {
  requestsByNetwork: { purpose: "newsletter/network", max: 10, windowMinutes: 60 },
  requestsByEmail: { purpose: "newsletter/email", max: 3, windowMinutes: 24 * 60 },
  /** Over the whole site: the form is no cannon, from however many places it is fired. */
  requests: { purpose: "newsletter/all", max: 300, windowMinutes: 60 },
  linksByNetwork: { purpose: "newsletter/link", max: 60, windowMinutes: 15 },
} as const satisfies Record<string, Limit>;
