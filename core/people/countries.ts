/** ISO 3166-1 alpha-2: every country and territory that has a code of its own. */
export const countryCodes =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW".split(
    " ",
  );

/** The United States and the territories whose residents are its residents. database/kyc/tables.sql holds the same list. */
const notServed = ["US", "AS", "GU", "MP", "PR", "UM", "VI"];

/** Whether this is a code of ISO 3166-1. */
export function isCountry(code: string): boolean {
  return countryCodes.includes(code);
}

/** Whether people who live there may use the service. */
export function isServed(country: string): boolean {
  return !notServed.includes(country);
}

/** The English name of a country: "DE" is Germany. For the server, so that both sides show the same words. */
export function countryName(code: string): string {
  names ??= new Intl.DisplayNames(["en"], { type: "region" });
  return names.of(code) ?? code;
}
let names: Intl.DisplayNames | undefined;

/** All countries by name, as a select field takes them. */
export function countryOptions(): Array<{ value: string; label: string }> {
  return countryCodes
    .map((value) => ({ value, label: countryName(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, "en"));
}
