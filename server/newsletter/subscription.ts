/** Asked for, confirmed by the mailbox's owner, ended by him. */
export type SubscriptionState = "pending" | "confirmed" | "ended";

/** How somebody left: by our page, or by his mail program's button (RFC 8058). */
export type EndedBy = "page" | "one-click";

/** The page on which somebody asked, as far as it can be one. */
export function sourceOf(path: string): string {
  return /^\/[a-z0-9/-]{0,100}$/.test(path) ? path : "/";
}

/** Where a link in a mail leads. */
export function confirmationUrl(appUrl: string, token: string): string {
  return `${appUrl}/newsletter/confirm?token=${token}`;
}

/** Where people, and their mail programs, end a subscription. */
export function leavingUrl(appUrl: string, token: string): string {
  return `${appUrl}/newsletter/unsubscribe?token=${token}`;
}

const leavingToken = /^[\w-]{32}$/;

/** Whether a text out of an address can be such a token at all; PostgreSQL would refuse some others with an error. */
export function isLeavingToken(text: string): boolean {
  return leavingToken.test(text);
}
