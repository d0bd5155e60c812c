import { closeDropdowns } from "#app/ui/browser/close-dropdowns.ts";
import { toggleReveal } from "#app/ui/controls/reveal-password.ts";
import { enhanceCopyFields } from "#app/ui/figures/enhance-copy-fields.ts";
import { showHints } from "#app/ui/figures/hints.ts";
import { enhanceColourScheme } from "#app/ui/theme/enhance-colour-scheme.ts";
import { setUnderWay, whenShownAgain } from "./button.ts";
import { enhanceCheckedForms } from "./checked-forms.ts";
import { enhancePasskeys } from "./passkeys.ts";

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

/** Shows a password while it is typed, and hides it again (`button[data-reveal]`, before the form is sent at the latest). */
function enhanceReveal(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-reveal]")) {
    button.addEventListener("click", () => toggleReveal(button));
  }
}

/** Forms that the browser itself sends, and that have nothing to check: one click is enough. */
function enhancePlainForms(root: ParentNode): void {
  const forms = root.querySelectorAll<HTMLFormElement>("form[method=post]:not([data-checked])");
  for (const form of forms) {
    form.addEventListener("submit", () => {
      // After the browser has read the form: a disabled button would not be sent with it.
      setTimeout(() => setUnderWay(form, true));
    });
    whenShownAgain(form);
  }
}
