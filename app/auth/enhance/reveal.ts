/** Shows a password while it is typed, and hides it again (`button[data-reveal]`, before the form is sent at the latest). */
export function enhanceReveal(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-reveal]")) {
    const field = document.getElementById(button.dataset["reveal"] ?? "");
    if (!(field instanceof HTMLInputElement)) continue;
    const show = (shown: boolean) => {
      field.type = shown ? "text" : "password";
      button.setAttribute("aria-pressed", String(shown));
    };
    button.addEventListener("click", () => show(field.type === "password"));
    // So that browsers do not keep it among what was typed into other fields.
    field.form?.addEventListener("submit", () => show(false));
  }
}
