import { createCookie } from "react-router";
import { findCookie } from "#core/cookie-name.ts";
import type { NoticeTone } from "../page/notice.tsx";

/**
 * What may be said after a redirect. The cookie holds only the key, so that no one can put other words
 * into a person's page by planting a cookie. A text alone says that something was done.
 */
const messages = {
  "signed-in": "Login successful",
  "signed-out": "Successfully signed out",
  "sign-out-failed": {
    tone: "error",
    text: "Error signing out: the session could not be ended. You are still signed in. Please try again.",
  },
  "sign-in-again": {
    tone: "info",
    text: "Please sign in again: too much time has passed, or too many codes were wrong",
  },
  "confirm-first": {
    tone: "info",
    text: "Confirm first that it is you, then press the button again",
  },
  "factor-added": "Two-factor authentication is set up",
  "factor-removed": "Removed. You no longer sign in with it",
  "morning-mail-on": "We e-mail you each morning what waits for you",
  "morning-mail-off": "The morning e-mail is switched off",
  "sessions-ended": "Signed out there",
  "password-replaced": "Your password is changed. All other devices are signed out",
  "account-frozen": "The account is frozen. We told the customer",
  "account-unfrozen": "The account is open again. We told the customer",
  "factors-reset": "Two-factor authentication is removed. We told the customer",
  "wallet-compared": "The wallet is verified. Customers get their own addresses from it",
  registered: "registration successful",
  "verification-sent": { tone: "info", text: "email verification sent" },
  "email-verified": "Your e-mail address is verified",
  "reset-link-sent": "Password reset link sent to your email",
  "password-changed": "Your password has been changed. Please sign in",
  "deposit-saved": "Successfully saved",
  "withdrawal-address-added": "The address is in your book. You can withdraw to it after 24 hours",
  "withdrawal-address-removed": "The address is removed from your book",
  "withdrawal-requested": "Requested. Confirm it with the link in the e-mail we sent you",
  "withdrawal-cancelled": "Cancelled. The amount is available again",
  "withdrawal-approved": "Approved. It goes into the batch of its day",
  "withdrawal-rejected": "Rejected. We told the customer",
  "withdrawal-held": "Held. We told the customer until when",
  "withdrawal-hold-lifted": "The hold is lifted",
  "coins-looked-for": {
    tone: "info",
    text: "The node is looking for coins. This page shows when it is done",
  },
  "batch-formed": "The batch is formed. Download it and sign it",
  "batch-rebuilt": "A new version is built. Download it and sign it",
  "consolidation-formed": "The transaction is built. Download it and sign it",
  "abandonment-proposed": "Proposed. A colleague confirms it",
  "abandonment-confirmed": "Confirmed. The batch ends within a minute",
  "abandonment-declined": "Declined. The batch continues",
  "batch-signed": "It pays exactly the batch, and is signed",
  "batch-ordered": "Ordered. It is sent within seconds",
  "resolution-proposed": "Proposed. A colleague confirms it",
  "resolution-confirmed": "Confirmed. Done within a minute",
  "resolution-declined": "Declined. Nothing happened to the payment",
  "payment-resolution-proposed": "Proposed. A colleague confirms it",
  "payment-resolution-confirmed": "Confirmed. Done within a minute",
  "payment-resolution-declined": "Declined. Nothing was changed",
  "deep-reorg-proposed": "Proposed. A colleague confirms it",
  "deep-reorg-confirmed": "Confirmed. The watcher continues with its next poll",
  "deep-reorg-declined": "Declined. The watcher stays where it is",
  "deposit-approved": "The deposit is approved and credited",
  "deposit-proposed": "Proposed. A colleague confirms it",
  "deposit-declined": "The deposit waits for a decision again",
  "deposit-rejected": "The deposit is rejected. We told the customer",
  "reserves-signed": "Recorded. It counts once our node has found the coins",
  "wallets-asked": {
    tone: "info",
    text: "The node reads the wallets. Its answer appears here: in seconds, on mainnet in minutes",
  },
  "count-entered": "Entered. A colleague confirms it",
  "count-confirmed": "Confirmed, and compared with the ledger",
  "count-rejected": "Rejected. We do not use the count",
  "count-withdrawn": "The count is withdrawn",
  "difference-explained": "Explained, and recorded in the audit log",
  "adjustment-proposed": "Proposed. A colleague decides",
  "adjustment-approved": "Approved and posted",
  "adjustment-rejected": "Rejected. Nothing was posted",
  "adjustment-withdrawn": "The proposal is withdrawn",
  "note-written": "The note is saved",
  "flag-raised": "The flag is set",
  "flag-lifted": "The flag is lifted",
  "view-ended": "The view is ended",
  "message-saved": "The dashboard message is saved",
  "message-sent": "Your message is sent. We answer here",
  "message-answered": "The answer is on its way",
  "message-closed": "The message is closed",
  "message-spam": "The message is marked as spam",
  "message-open": "The message is open again",
  "kyc-saved": "Saved",
  "document-kept": "The document is encrypted and saved",
  "kyc-submitted": "Submitted. We e-mail you when we have decided",
  "kyc-approved": "The customer is verified. We told them by e-mail",
  "kyc-half-approved": {
    tone: "info",
    text: "Your approval is saved. It waits for a second verifier",
  },
  "kyc-declined": "Declined. We told the customer which steps to repeat",
  "second-review-asked": "Two verifiers must approve it now",
  "job-queued-again": "We are trying the job again",
  "mail-queued-again": "We are sending the mail again",
  "content-draft-saved": "Saved as a draft. The site has not changed",
  "content-published": "Published. The site shows it within seconds",
  "content-withdrawn": "Taken off the site",
  "testimonial-invited": "We asked the customer by e-mail",
  "testimonial-asked-without-mail": {
    tone: "info",
    text: "No e-mail was sent: the customer has switched these off, or was asked before. The question is in their account",
  },
  "testimonial-published": "The slide is published",
  "testimonial-unpublished": "The slide is taken off the site",
  "testimonial-withdrawn": "The invitation is cancelled",
  "testimonial-agreed": "Saved. We show it once we have published it",
  "testimonial-revoked": "Removed. We show none of your words",
  "staff-invited": "The invitation is on its way by e-mail",
  "staff-changed": "Done, and recorded in the audit log",
  "staff-proposed": {
    tone: "info",
    text: "Proposed. It is done when another owner confirms it within 7 days",
  },
  "staff-confirmed": "Confirmed and done",
  "staff-declined": "Declined. Nothing was changed",
  "staff-withdrawn": "Withdrawn. Nothing was changed",
  "invitation-renewed": "A new link is on its way; the old one has ended",
  "profile-saved": "Saved",
  "email-links-sent": {
    tone: "info",
    text: "Two links are on their way: one to your address, one to the new one",
  },
  "email-change-cancelled": "Cancelled. Your address stays as it is",
  "export-asked": "We are making your copy. We e-mail you when it is ready",
  "contract-bought": "Bought. The contract is below",
  "contract-given-back": "Refunded. Everything you paid is in your balance again",
  "receipt-shared": "Anyone with the link can see this receipt",
  "receipt-unshared": "The link is switched off",
  "closing-waits": { tone: "info", text: "Recorded. The account closes once you are paid out" },
  "remainder-left": "Given up, and recorded in the ledger",
  "closing-taken-back": "Cancelled. Your account stays open",
  "account-closed": "Your account is closed. We e-mailed you a link that opens it again",
  "account-kept": "Your account is open again. Please sign in",
  "fleet-saved": "Saved, and recorded in the audit log",
  "plan-drafted": "The draft is saved",
  "plan-published": "Customers can buy it from now on",
  "plan-retired": "It is no longer offered. Running contracts continue",
  "maintenance-announced": "Announced. We e-mail everyone who holds a contract on this plan",
  "maintenance-withdrawn": "Cancelled. We e-mail everyone who holds a contract on this plan",
  "payouts-saved": "Saved, and recorded in the audit log",
  "payout-recorded": "The payout is recorded",
  "payout-waits": { tone: "info", text: "Saved. It waits for a second person" },
  "payout-refused": "The payout is refused",
  "statement-recorded": "The payouts are recorded",
  "statement-recorded-in-part": {
    tone: "info",
    text: "Recorded, except what is above the limit: that waits for a second person",
  },
  saved: "Saved, and recorded in the audit log",
  "notices-read": "All are marked as read",
  "tried-again": "We are trying again",
  "day-posted": "The day is being credited",
} as const satisfies Record<string, string | Flash>;

export type FlashKey = keyof typeof messages;
export interface Flash {
  text: string;
  tone: NoticeTone;
}

const cookie = createCookie("flash", { path: "/", sameSite: "lax", httpOnly: true, maxAge: 60 });

/** What these say. */
export function wordsOf(keys: readonly FlashKey[]): Flash[] {
  return keys.map((key) => {
    const said: string | Flash = messages[key];
    return typeof said === "string" ? { tone: "success", text: said } : said;
  });
}

/** The Set-Cookie value that makes the next page say it: `redirect("/login", { headers: { "Set-Cookie": await flash("signed-out") } })`. */
export function flash(...keys: FlashKey[]): Promise<string> {
  return cookie.serialize(keys);
}

/**
 * What the page before asked this one to say, and the Set-Cookie value that forgets it. For the root's
 * loader; `secure` says whether the site has TLS.
 */
export async function takeFlash(
  request: Request,
  secure: boolean,
): Promise<{ flashes: Flash[]; forget: string | null }> {
  const sent = findCookie(request.headers.get("cookie"), cookie.name, secure);
  if (sent === null) return { flashes: [], forget: null };
  const keys: unknown = await cookie.parse(`${cookie.name}=${sent}`).catch(() => null);
  if (!Array.isArray(keys)) return { flashes: [], forget: null };
  const known = keys.filter(
    (key): key is FlashKey => typeof key === "string" && Object.hasOwn(messages, key),
  );
  const forget = await cookie.serialize("", { maxAge: 0 });
  return { flashes: wordsOf(known), forget };
}
