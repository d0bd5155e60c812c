/** A form under way says so on its button, which takes no second click. */
export function setUnderWay(form: HTMLFormElement, underWay: boolean): void {
  const button = form.querySelector<HTMLButtonElement>("button[data-pending]");
  for (const each of [form, button]) {
    if (underWay) each?.setAttribute("aria-busy", "true");
    else each?.removeAttribute("aria-busy");
  }
  if (!button) return;
  button.disabled = underWay;
  const words = button.querySelector<HTMLElement>("[data-words]");
  if (!words) return;
  words.dataset["words"] ||= words.textContent ?? "";
  words.textContent = (underWay && button.dataset["pending"]) || words.dataset["words"];
}

/** The back button shows pages as they were left: nothing is under way then. */
export function whenShownAgain(form: HTMLFormElement): void {
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) setUnderWay(form, false);
  });
}
