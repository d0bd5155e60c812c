/**
 * What somebody agrees to who subscribes, by version. A subscription keeps the number, so it is known for ever which words were read:
 * change them by adding one, never by rewriting.
 */
export const consentTexts = [
  "News by e-mail: announcements, changes of terms and fees, and how the mining goes. You confirm by a link that we mail you, and every issue holds one that ends it. We keep your address for this alone.",
] as const;

/** The version that the form shows now; the first is 1. */
export const consentVersion = consentTexts.length;

/** The words that the form shows now. */
export const consentText = consentTexts[consentVersion - 1];

/** How long the link that confirms a subscription works. */
export const confirmationHours = 48;
