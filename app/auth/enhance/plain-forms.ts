import { setUnderWay, whenShownAgain } from "./button.ts";

/** Forms that the browser itself sends, and that have nothing to check: one click is enough. */
export function enhancePlainForms(root: ParentNode): void {
  const forms = root.querySelectorAll<HTMLFormElement>("form[method=post]:not([data-checked])");
  for (const form of forms) {
    form.addEventListener("submit", () => {
      // After the browser has read the form: a disabled button would not be sent with it.
      setTimeout(() => setUnderWay(form, true));
    });
    whenShownAgain(form);
  }
}
