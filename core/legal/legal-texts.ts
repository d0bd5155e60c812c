import { retention } from "../retention.ts";
import { termWords } from "../term-words.ts";
import { type Constants, constants } from "../terms.ts";
import { browserStorage } from "./browser-storage.ts";
import { cookiesText } from "./cookies-text.ts";
import { disclaimerText } from "./disclaimer-text.ts";
import type { LegalDocument, LegalId } from "./legal-document.ts";
import { privacyText, type Retention } from "./privacy-text.ts";
import { termsText } from "./terms-text.ts";

/** The texts of law as they read with these constants: those of the running product, unless told otherwise. */
export function legalTexts(
  numbers: Constants = constants,
  kept: Retention = retention,
): Record<LegalId, LegalDocument> {
  const words = termWords(numbers);
  return {
    terms: termsText(words),
    privacy: privacyText(words, kept),
    disclaimer: disclaimerText(words),
    cookies: cookiesText(browserStorage(numbers)),
  };
}
