import { closeDropdowns } from "#app/ui/browser/close-dropdowns.ts";
import { enhanceCopyFields } from "#app/ui/figures/enhance-copy-fields.ts";
import { showHints } from "#app/ui/figures/hints.ts";
import { enhanceColourScheme } from "#app/ui/theme/enhance-colour-scheme.ts";
import { enhanceCheckedForms } from "./checked-forms.ts";
import { enhancePasskeys } from "./passkeys.ts";
import { enhancePlainForms } from "./plain-forms.ts";
import { enhanceReveal } from "./reveal.ts";

/**
 * All the script of the pages around signing in. Each part finds its elements by `data-…` attributes and does
 * nothing where there are none; the rules of the forms and what asks for passkeys are imported when they are needed.
 */
const parts: Array<(root: ParentNode) => void> = [
  enhanceCheckedForms,
  enhancePlainForms,
  enhancePasskeys,
  enhanceReveal,
  enhanceCopyFields,
  enhanceColourScheme,
  () => closeDropdowns(),
  () => showHints(),
];

for (const enhance of parts) {
  try {
    enhance(document);
  } catch (error) {
    // One part that breaks takes no other with it; the pages themselves need none of them.
    reportError(error);
  }
}
