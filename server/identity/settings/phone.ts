import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";

/**
 * A telephone number in E.164, read as it is dialled in a country; one that begins with + needs none. Null when
 * there can be no such number.
 */
export function parsePhone(text: string, country: string | null): string | null {
  const home = country !== null && isSupportedCountry(country) ? country : undefined;
  const found = parsePhoneNumberFromString(text, home && { defaultCountry: home, extract: false });
  // The database's limit is the standard's: 15 digits.
  return found?.isPossible() && /^\+[1-9]\d{5,14}$/.test(found.number) ? found.number : null;
}

/** A stored number as people read it, with the country that it seems to belong to. */
export function describePhone(e164: string): { shown: string; country: string | null } {
  const found = parsePhoneNumberFromString(e164);
  return { shown: found?.formatInternational() ?? e164, country: found?.country ?? null };
}

/** Every country that has telephone numbers, by its English name: "Germany (+49)". */
export function phoneCountries(): Array<{ value: string; label: string }> {
  return getCountries()
    .map((value: CountryCode) => ({
      value: value as string,
      label: `${names.of(value) ?? value} (+${getCountryCallingCode(value)})`,
    }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
}
const names = new Intl.DisplayNames(["en"], { type: "region" });
