import { countryName } from "#core/people/countries.ts";

/**
 * Why a submission needs two verifiers from its beginning; null when one is enough. The one rule: the operator's list of
 * countries. A verifier can ask for a second one besides, see `askSecondReview`.
 */
export function secondReviewReason(country: string, highRiskCountries: string[]): string | null {
  if (!highRiskCountries.includes(country)) return null;
  return `${countryName(country)} is on the list of countries with a high risk`;
}
