/** How somebody reads dates, numbers and values. Both sides of the site format by it. */
export interface Reading {
  /** One of `readingLocales`; null: as the site writes. */
  locale: ReadingLocale | null;
  /** A name of the IANA time zone database; null: that of the device. */
  timeZone: string | null;
  currency: DisplayCurrency;
}

/** The site's words stay English: these say how dates and numbers are written. */
export const readingLocales = [
  "en-GB",
  "en-US",
  "da-DK",
  "de-CH",
  "de-DE",
  "es-ES",
  "es-MX",
  "fi-FI",
  "fr-FR",
  "it-IT",
  "ja-JP",
  "ko-KR",
  "nb-NO",
  "nl-NL",
  "pl-PL",
  "pt-BR",
  "pt-PT",
  "sv-SE",
  "tr-TR",
  "uk-UA",
  "zh-CN",
] as const;
export type ReadingLocale = (typeof readingLocales)[number];

/** Dollars, and the coins whose prices are kept with their exchanges and ages. */
export const displayCurrencies = ["USD", "BTC", "ETH"] as const;
export type DisplayCurrency = (typeof displayCurrencies)[number];

export const siteReading: Reading = { locale: null, timeZone: null, currency: "USD" };

/** Whether this is a time zone that the program knows. */
export function isTimeZone(name: string): boolean {
  return name === "UTC" || timeZones().includes(name);
}

/** Every time zone by name. */
export function timeZones(): string[] {
  return Intl.supportedValuesOf("timeZone");
}
