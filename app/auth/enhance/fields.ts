/** What a person fills in, in the order of the form. */
export function fieldsOf(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.elements].filter(
    (field): field is HTMLInputElement =>
      field instanceof HTMLInputElement && field.name !== "" && field.type !== "hidden",
  );
}

/** Puts the words under those fields that have been touched, and takes them away from under the others. */
export function showProblems(
  form: HTMLFormElement,
  problems: ReadonlyMap<string, string>,
  touched: ReadonlySet<string>,
): void {
  for (const field of fieldsOf(form)) {
    const words = (touched.has(field.name) && problems.get(field.name)) || "";
    if (words) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    const place = form.querySelector(`[data-error-of="${field.name}"]`);
    // Written only when it changes: a screen reader may be reading it.
    if (place && place.textContent !== words) place.textContent = words;
  }
}

/** Whoever sent the form is led to the first field to be mended, and hears what is wrong there. */
export function focusFirstWrong(form: HTMLFormElement): void {
  fieldsOf(form)
    .find((field) => field.hasAttribute("aria-invalid"))
    ?.focus();
}
