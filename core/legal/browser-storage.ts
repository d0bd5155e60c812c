import { securityTerms } from "../people/security-terms.ts";
import { type Constants, constants } from "../terms.ts";

/** Something that the site keeps in a visitor's browser. */
export interface BrowserStorage {
  name: string;
  place: "cookie" | "local storage" | "session storage";
  /** How long the browser keeps it. */
  lifetime: string;
  /** When it comes about. */
  setWhen: string;
  purpose: string;
}

/**
 * All that the site keeps in a browser: the cookie policy's table. A test holds it against what the product
 * really sets.
 */
export function browserStorage({ terms }: Constants = constants): BrowserStorage[] {
  return [
    {
      name: "assay.session_token",
      place: "cookie",
      lifetime: `${terms.rememberedSessionDays} days with Remember Me; otherwise until the browser closes, and ${terms.forgottenSessionHours} hours at most`,
      setWhen: "you sign in or register",
      purpose:
        "Says who you are. A random number, sent only to this site, not readable by scripts. Over https its name begins with __Host-.",
    },
    {
      name: "assay.half_session",
      place: "cookie",
      lifetime: `${securityTerms.pendingMfaMinutes} minutes, or until you have confirmed it`,
      setWhen: "your password was right and we ask for two-factor authentication",
      purpose:
        "Remembers between the two that the password was right. It gives no access. Not readable by scripts. Over https its name begins with __Host-.",
    },
    {
      name: "assay.known_device",
      place: "cookie",
      lifetime: `${securityTerms.knownBrowserDays} days`,
      setWhen: "you sign in",
      purpose:
        "Shows that this browser has signed in before, so that no one locks you out of it by guessing at your password. It gives no access. Holds a random number and a signature that only we can match with your address; not readable by scripts. Over https its name begins with __Host-.",
    },
    {
      name: "flash",
      place: "cookie",
      lifetime: "60 seconds, or until the next page has shown it",
      setWhen: "a form sends you to another page",
      purpose:
        "Carries the key of a message such as 'Successfully saved'. Not readable by scripts. Over https its name begins with __Host-.",
    },
    {
      name: "sidebar",
      place: "cookie",
      lifetime: "1 year",
      setWhen: "you fold or unfold the account's sidebar",
      purpose: "Keeps it so. Over https its name begins with __Host-.",
    },
    {
      name: "assay-embeds",
      place: "cookie",
      lifetime: "180 days",
      setWhen:
        "you answer whether a charting provider's widgets may be loaded, where the operator offers them",
      purpose:
        "Keeps your choice. Your browser loads nothing from the provider before you agree. Over https its name begins with __Host-.",
    },
    {
      name: "assay-colour-scheme",
      place: "local storage",
      lifetime: "until you delete it",
      setWhen: "you choose light or dark colours",
      purpose: "Keeps the choice. Never sent to us.",
    },
    {
      name: "assay-overview-scheme",
      place: "local storage",
      lifetime: "until you delete it",
      setWhen: "you choose light or dark colours for the market overview",
      purpose: "Keeps the choice. Never sent to us.",
    },
    {
      name: "assay-proof",
      place: "local storage",
      lifetime: "until you delete it",
      setWhen: "your browser has checked your part of the daily proof",
      purpose:
        "Keeps the day and the hash of the last proof that it found right, by your account's number, to compare later ones with. Never sent to us.",
    },
    {
      name: "assay-tape-paused",
      place: "session storage",
      lifetime: "until the tab closes",
      setWhen: "you stop or start the ticker tape",
      purpose: "Keeps it so on the next page. Never sent to us.",
    },
    {
      name: "totalAmount",
      place: "session storage",
      lifetime: "until the tab closes or you sign out",
      setWhen: "you open the dashboard or the deposit page",
      purpose: "The sum of your deposits in dollars, written from our figure. Never sent to us.",
    },
    {
      name: "react-router-scroll-positions",
      place: "session storage",
      lifetime: "until the tab closes",
      setWhen: "you leave a page of the account, or of sign-in",
      purpose: "Remembers your position on a page for when you go back. Never sent to us.",
    },
  ];
}
