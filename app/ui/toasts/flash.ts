import { createCookie } from "react-router";
import { findCookie } from "#core/cookie-name.ts";
import type { NoticeTone } from "../page/notice.tsx";

/**
 * What may be said after a redirect. The cookie holds only the key, so that no one can put other words
 * into a person's page by planting a cookie.
 */
const messages = {
  "signed-in": { tone: "success", text: "Login successful" },
  "signed-out": { tone: "success", text: "Successfully signed out" },
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
  "factor-added": { tone: "success", text: "Two-factor authentication is set up" },
  "factor-removed": { tone: "success", text: "Removed. You no longer sign in with it" },
  "morning-mail-on": { tone: "success", text: "We e-mail you each morning what waits for you" },
  "morning-mail-off": { tone: "success", text: "The morning e-mail is switched off" },
  "sessions-ended": { tone: "success", text: "Signed out there" },
  "password-replaced": {
    tone: "success",
    text: "Your password is changed. All other devices are signed out",
  },
  "account-frozen": { tone: "success", text: "The account is frozen. We told the customer" },
  "account-unfrozen": { tone: "success", text: "The account is open again. We told the customer" },
  "factors-reset": {
    tone: "success",
    text: "Two-factor authentication is removed. We told the customer",
  },
  "wallet-compared": {
    tone: "success",
    text: "The wallet is verified. Customers get their own addresses from it",
  },
  registered: { tone: "success", text: "registration successful" },
  "verification-sent": { tone: "info", text: "email verification sent" },
  "email-verified": { tone: "success", text: "Your e-mail address is verified" },
  "reset-link-sent": { tone: "success", text: "Password reset link sent to your email" },
  "password-changed": { tone: "success", text: "Your password has been changed. Please sign in" },
  "deposit-saved": { tone: "success", text: "Successfully saved" },
  "withdrawal-address-added": {
    tone: "success",
    text: "The address is in your book. You can withdraw to it after 24 hours",
  },
  "withdrawal-address-removed": { tone: "success", text: "The address is removed from your book" },
  "withdrawal-requested": {
    tone: "success",
    text: "Requested. Confirm it with the link in the e-mail we sent you",
  },
  "withdrawal-cancelled": {
    tone: "success",
    text: "Cancelled. The amount is available again",
  },
  "withdrawal-approved": { tone: "success", text: "Approved. It goes into the batch of its day" },
  "withdrawal-rejected": { tone: "success", text: "Rejected. We told the customer" },
  "withdrawal-held": { tone: "success", text: "Held. We told the customer until when" },
  "withdrawal-hold-lifted": { tone: "success", text: "The hold is lifted" },
  "coins-looked-for": {
    tone: "info",
    text: "The node is looking for coins. This page shows when it is done",
  },
  "batch-formed": { tone: "success", text: "The batch is formed. Download it and sign it" },
  "batch-rebuilt": { tone: "success", text: "A new version is built. Download it and sign it" },
  "consolidation-formed": {
    tone: "success",
    text: "The transaction is built. Download it and sign it",
  },
  "abandonment-proposed": { tone: "success", text: "Proposed. A colleague confirms it" },
  "abandonment-confirmed": { tone: "success", text: "Confirmed. The batch ends within a minute" },
  "abandonment-declined": { tone: "success", text: "Declined. The batch continues" },
  "batch-signed": { tone: "success", text: "It pays exactly the batch, and is signed" },
  "batch-ordered": { tone: "success", text: "Ordered. It is sent within seconds" },
  "resolution-proposed": { tone: "success", text: "Proposed. A colleague confirms it" },
  "resolution-confirmed": { tone: "success", text: "Confirmed. Done within a minute" },
  "resolution-declined": { tone: "success", text: "Declined. Nothing happened to the payment" },
  "payment-resolution-proposed": { tone: "success", text: "Proposed. A colleague confirms it" },
  "payment-resolution-confirmed": { tone: "success", text: "Confirmed. Done within a minute" },
  "payment-resolution-declined": { tone: "success", text: "Declined. Nothing was changed" },
  "deep-reorg-proposed": { tone: "success", text: "Proposed. A colleague confirms it" },
  "deep-reorg-confirmed": {
    tone: "success",
    text: "Confirmed. The watcher continues with its next poll",
  },
  "deep-reorg-declined": { tone: "success", text: "Declined. The watcher stays where it is" },
  "deposit-approved": { tone: "success", text: "The deposit is approved and credited" },
  "deposit-proposed": { tone: "success", text: "Proposed. A colleague confirms it" },
  "deposit-declined": { tone: "success", text: "The deposit waits for a decision again" },
  "deposit-rejected": { tone: "success", text: "The deposit is rejected. We told the customer" },
  "wallets-asked": {
    tone: "info",
    text: "The node reads the wallets. Its answer appears here: in seconds, on mainnet in minutes",
  },
  "count-entered": { tone: "success", text: "Entered. A colleague confirms it" },
  "count-confirmed": { tone: "success", text: "Confirmed, and compared with the ledger" },
  "count-rejected": { tone: "success", text: "Rejected. We do not use the count" },
  "count-withdrawn": { tone: "success", text: "The count is withdrawn" },
  "difference-explained": { tone: "success", text: "Explained, and recorded in the audit log" },
  "adjustment-proposed": { tone: "success", text: "Proposed. A colleague decides" },
  "adjustment-approved": { tone: "success", text: "Approved and posted" },
  "adjustment-rejected": { tone: "success", text: "Rejected. Nothing was posted" },
  "adjustment-withdrawn": { tone: "success", text: "The proposal is withdrawn" },
  "note-written": { tone: "success", text: "The note is saved" },
  "flag-raised": { tone: "success", text: "The flag is set" },
  "flag-lifted": { tone: "success", text: "The flag is lifted" },
  "view-ended": { tone: "success", text: "The view is ended" },
  "message-saved": { tone: "success", text: "The dashboard message is saved" },
  "message-sent": { tone: "success", text: "Your message is sent. We answer here" },
  "message-answered": { tone: "success", text: "The answer is on its way" },
  "message-closed": { tone: "success", text: "The message is closed" },
  "message-spam": { tone: "success", text: "The message is marked as spam" },
  "message-open": { tone: "success", text: "The message is open again" },
  "kyc-saved": { tone: "success", text: "Saved" },
  "document-kept": { tone: "success", text: "The document is encrypted and saved" },
  "kyc-submitted": {
    tone: "success",
    text: "Submitted. We e-mail you when we have decided",
  },
  "kyc-approved": {
    tone: "success",
    text: "The customer is verified. We told them by e-mail",
  },
  "kyc-half-approved": {
    tone: "info",
    text: "Your approval is saved. It waits for a second verifier",
  },
  "kyc-declined": {
    tone: "success",
    text: "Declined. We told the customer which steps to repeat",
  },
  "second-review-asked": { tone: "success", text: "Two verifiers must approve it now" },
  "job-queued-again": { tone: "success", text: "We are trying the job again" },
  "mail-queued-again": { tone: "success", text: "We are sending the mail again" },
  "content-draft-saved": { tone: "success", text: "Saved as a draft. The site has not changed" },
  "content-published": { tone: "success", text: "Published. The site shows it within seconds" },
  "content-withdrawn": { tone: "success", text: "Taken off the site" },
  "testimonial-invited": { tone: "success", text: "We asked the customer by e-mail" },
  "testimonial-asked-without-mail": {
    tone: "info",
    text: "No e-mail was sent: the customer has switched these off, or was asked before. The question is in their account",
  },
  "testimonial-published": { tone: "success", text: "The slide is published" },
  "testimonial-unpublished": { tone: "success", text: "The slide is taken off the site" },
  "testimonial-withdrawn": { tone: "success", text: "The invitation is cancelled" },
  "testimonial-agreed": { tone: "success", text: "Saved. We show it once we have published it" },
  "testimonial-revoked": { tone: "success", text: "Removed. We show none of your words" },
  "staff-invited": { tone: "success", text: "The invitation is on its way by e-mail" },
  "staff-changed": { tone: "success", text: "Done, and recorded in the audit log" },
  "staff-proposed": {
    tone: "info",
    text: "Proposed. It is done when another owner confirms it within 7 days",
  },
  "staff-confirmed": { tone: "success", text: "Confirmed and done" },
  "staff-declined": { tone: "success", text: "Declined. Nothing was changed" },
  "staff-withdrawn": { tone: "success", text: "Withdrawn. Nothing was changed" },
  "invitation-renewed": {
    tone: "success",
    text: "A new link is on its way; the old one has ended",
  },
  "profile-saved": { tone: "success", text: "Saved" },
  "email-links-sent": {
    tone: "info",
    text: "Two links are on their way: one to your address, one to the new one",
  },
  "email-change-cancelled": { tone: "success", text: "Cancelled. Your address stays as it is" },
  "export-asked": {
    tone: "success",
    text: "We are making your copy. We e-mail you when it is ready",
  },
  "contract-bought": { tone: "success", text: "Bought. The contract is below" },
  "contract-given-back": {
    tone: "success",
    text: "Refunded. Everything you paid is in your balance again",
  },
  "receipt-shared": { tone: "success", text: "Anyone with the link can see this receipt" },
  "receipt-unshared": { tone: "success", text: "The link is switched off" },
  "closing-waits": { tone: "info", text: "Recorded. The account closes once you are paid out" },
  "remainder-left": { tone: "success", text: "Given up, and recorded in the ledger" },
  "closing-taken-back": { tone: "success", text: "Cancelled. Your account stays open" },
  "account-closed": {
    tone: "success",
    text: "Your account is closed. We e-mailed you a link that opens it again",
  },
  "account-kept": { tone: "success", text: "Your account is open again. Please sign in" },
  "fleet-saved": { tone: "success", text: "Saved, and recorded in the audit log" },
  "plan-drafted": { tone: "success", text: "The draft is saved" },
  "plan-published": { tone: "success", text: "Customers can buy it from now on" },
  "plan-retired": { tone: "success", text: "It is no longer offered. Running contracts continue" },
  "maintenance-announced": {
    tone: "success",
    text: "Announced. We e-mail everyone who holds a contract on this plan",
  },
  "maintenance-withdrawn": {
    tone: "success",
    text: "Cancelled. We e-mail everyone who holds a contract on this plan",
  },
  "payouts-saved": { tone: "success", text: "Saved, and recorded in the audit log" },
  "payout-recorded": { tone: "success", text: "The payout is recorded" },
  "payout-waits": { tone: "info", text: "Saved. It waits for a second person" },
  "payout-refused": { tone: "success", text: "The payout is refused" },
  "statement-recorded": { tone: "success", text: "The payouts are recorded" },
  "statement-recorded-in-part": {
    tone: "info",
    text: "Recorded, except what is above the limit: that waits for a second person",
  },
  "mining-saved": { tone: "success", text: "Saved, and recorded in the audit log" },
  "notices-read": { tone: "success", text: "All are marked as read" },
  "tried-again": { tone: "success", text: "We are trying again" },
  "day-posted": { tone: "success", text: "The day is being credited" },
} as const satisfies Record<string, { tone: NoticeTone; text: string }>;

export type FlashKey = keyof typeof messages;
export interface Flash {
  text: string;
  tone: NoticeTone;
}

const cookie = createCookie("flash", { path: "/", sameSite: "lax", httpOnly: true, maxAge: 60 });

/** What these say. */
export function wordsOf(keys: readonly FlashKey[]): Flash[] {
  return keys.map((key) => messages[key]);
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
