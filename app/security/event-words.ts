/** What happened, as its reader says it. Acts of staff are named room and verb. */
const words: Record<string, string> = {
  registered: "Registered and accepted the terms",
  "email-verified": "Verified the e-mail address",
  "signed-in": "Signed in",
  "wrong-codes": "Right password, then five wrong codes",
  "wrong-codes-in-session": "Five wrong codes in an open session",
  "signed-out-elsewhere": "Signed out in other browsers",
  "password-set": "Set the first password",
  "password-changed": "Changed the password",
  "authenticator-added": "Added an authenticator app",
  "authenticator-removed": "Removed the authenticator app",
  "passkey-added": "Added a passkey",
  "passkey-removed": "Removed a passkey",
  "recovery-codes-renewed": "Made new recovery codes",
  "account-frozen": "Froze the account",
  "name-changed": "Changed the name",
  "phone-changed": "Changed the phone number",
  "reading-changed": "Changed how dates and numbers are shown",
  "display-currency-changed": "Changed the currency of values",
  "phrase-changed": "Changed the anti-phishing phrase",
  "notices-chosen": "Chose which e-mails to get",
  "email-change-asked": "Asked for another e-mail address",
  "email-changed": "Changed the e-mail address",
  "data-export-asked": "Asked for a copy of the data",
  "data-export-downloaded": "Downloaded a copy of the data",
  "withdrawal-address-added": "Added an address to the book",
  "withdrawal-address-removed": "Removed an address from the book",
  "withdrawal-requested": "Asked for a withdrawal",
  "withdrawal-confirmed": "Confirmed a withdrawal by e-mail",
  "withdrawal-cancelled": "Cancelled a withdrawal",
  "withdrawals/approve": "Approved a withdrawal",
  "withdrawals/reject": "Rejected a withdrawal",
  "withdrawals/place-hold": "Held a withdrawal",
  "withdrawals/lift-hold": "Ended a hold on a withdrawal",
  "withdrawals/propose-resolution": "Proposed how to resolve a failed token payment",
  "withdrawals/confirm-resolution": "Confirmed how to resolve a failed token payment",
  "withdrawals/decline-resolution": "Declined a proposal to resolve a failed token payment",
  "closing-asked": "Asked to close the account",
  "closing-taken-back": "Kept the account open after all",
  "account-closed": "Closed the account",
  "identity/freeze-account": "Froze the account",
  "identity/unfreeze-account": "Opened the account again",
  "identity/reset-mfa": "Removed all two-factor authentication",
  "identity/set-dashboard-message": "Changed the message on your dashboard",
  "identity/view-as-customer": "Viewed your account as you see it",
  "adjustments/approve": "Moved some of the operator's own money to or from your account",
  "deposits/approve": "Approved a deposit",
  "deposits/confirm-approval": "Approved a deposit",
  "deposits/reject": "Rejected a deposit",
  "residence-stated": "Declared the country you live in",
  "document-uploaded": "Uploaded a document",
  "kyc-submitted": "Submitted the verification",
  "kyc-expired": "The verification expired",
  "kyc/view-document": "Viewed your document",
  "kyc/approve": "Approved your verification",
  "kyc/decline": "Declined your verification",
  "kyc/ask-second-review": "Asked a second verifier to look",
  "deposits/view-slip": "Viewed your payment slip",
  "content/invite-testimonial": "Asked you for a few words for the site",
};

/** A sentence without its end; for an unknown event its own name, made readable. */
export function eventInWords(what: string): string {
  const known = words[what];
  if (known) return known;
  const [, verb = what] = what.split("/");
  const text = verb.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const byInWords = { self: "You", staff: "Our staff", system: "The system" } as const;

/** By what someone signed in. */
export const proofInWords: Record<string, string> = {
  password: "with the password",
  totp: "with a code of the app",
  "recovery-code": "with a recovery code",
  passkey: "with a passkey",
};
