/** Shows the password that a button (`data-reveal`: the field's id) is in, or hides it again before its form is sent. */
export function toggleReveal(button: HTMLButtonElement): void {
  const field = document.getElementById(button.dataset["reveal"] ?? "");
  if (!(field instanceof HTMLInputElement)) return;
  const show = (shown: boolean) => {
    field.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
  };
  show(field.type === "password");
  // So that browsers do not keep it among what was typed into other fields.
  field.form?.addEventListener("submit", () => show(false), { once: true });
}
