import { findCookie } from "../cookie-name.ts";

/**
 * The widgets of the charting provider that an operator may switch on, and how tall each stands: the space
 * is kept for them, so that nothing moves when they come.
 */
export const embeds = {
  "ticker-tape": { title: "Ticker tape", heightPx: 46 },
  tickers: { title: "Tickers", heightPx: 104 },
  "market-overview": { title: "Market overview", heightPx: 700 },
  timeline: { title: "News", heightPx: 550 },
} as const;

export type EmbedName = keyof typeof embeds;
export const embedNames = Object.keys(embeds) as EmbedName[];

/** Whose widgets these are, in words that a visitor reads. */
export const embedProvider = "TradingView";

/** What a visitor has said about them: nothing leaves the browser before a yes. */
export type EmbedConsent = "yes" | "no" | "unasked";

const name = "assay-embeds";
const halfAYearS = 15_552_000;

/** Reads the visitor's choice from a Cookie header or from `document.cookie`; `secure` says whether the site has TLS. */
export function readEmbedConsent(cookies: string | null, secure: boolean): EmbedConsent {
  const found = findCookie(cookies, name, secure);
  return found === "yes" || found === "no" ? found : "unasked";
}

/** The Set-Cookie value that remembers a choice for half a year; "unasked" forgets it. Scripts of this site may read it. */
export function embedConsentCookie(choice: EmbedConsent): string {
  const lifetime = choice === "unasked" ? 0 : halfAYearS;
  const value = choice === "unasked" ? "" : choice;
  return `${name}=${value}; Path=/; Max-Age=${lifetime}; SameSite=Lax`;
}
