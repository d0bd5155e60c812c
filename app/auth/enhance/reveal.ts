import { toggleReveal } from "#app/ui/controls/reveal-password.ts";

/** Shows a password while it is typed, and hides it again (`button[data-reveal]`, before the form is sent at the latest). */
export function enhanceReveal(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-reveal]")) {
    button.addEventListener("click", () => toggleReveal(button));
  }
}
