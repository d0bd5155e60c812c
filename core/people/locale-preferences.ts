/** How a person wants to read dates, numbers and values. Server and browser format by it. */
export interface LocalePreferences {
  /** One of `formatLocales`; null: the site's own format. */
  locale: FormatLocale | null;
  /** A name of the IANA time zone database; null: that of the device. */
  timeZone: string | null;
  currency: DisplayCurrency;
}

/** For dates and numbers only: the site is available in English only. */
export const formatLocales = [
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
export type FormatLocale = (typeof formatLocales)[number];

/** Dollars, and the coins whose prices are kept with their exchanges and ages. */
export const displayCurrencies = ["USD", "BTC", "ETH"] as const;
export type DisplayCurrency = (typeof displayCurrencies)[number];

export const siteLocalePreferences: LocalePreferences = {
  locale: null,
  timeZone: null,
  currency: "USD",
};

/** Whether this is a time zone that the program knows. */
export function isTimeZone(name: string): boolean {
  return name === "UTC" || timeZones().includes(name);
}

/** Every time zone by name. */
export function timeZones(): string[] {
  return Intl.supportedValuesOf("timeZone");
}
