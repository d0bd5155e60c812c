/**
 * The numbers of signing in and of what guards an account. No right hangs on them, so they are not in the terms; but for
 * `changeHoldHours`, which a withdrawal has to wait for.
 */
export const securityTerms = {
  /** Between the password and the second factor. */
  pendingMfaMinutes: 10,
  pendingMfaAttempts: 5,
  /** A sensitive act asks for the second factor again after so long. */
  freshMfaMinutes: 10,
  /** A session that nobody uses ends after so long: of staff, of customers, of customers who want to be remembered. */
  idleMinutes: { staff: 30, customer: 60, remembered: 14 * 24 * 60 },
  /** How long the link in a security mail can freeze the account. */
  freezeLinkDays: 7,
  /** A browser that has signed in to an account is known to it for so long, counted from the last time. */
  knownBrowserDays: 180,
  /** Money cannot leave for so long after a changed password, e-mail address or second factor. */
  changeHoldHours: 24,
  /** Staff may look at an account as its customer sees it for so long. */
  customerViewMinutes: 15,
  /** A customer's dashboard says for so long that staff did. */
  viewShownDays: 7,
} as const;
