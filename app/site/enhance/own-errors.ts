type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * Says under a field what it lacks, in the form's own words (`data-missing`, `data-wrong`): on leaving what was typed and is
 * wrong, and for every field before the form is sent. Without a script the server says the same.
 */
export function enhanceOwnErrors(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-own-errors]")) {
    const controls = [...form.querySelectorAll<Control>("[data-missing]")];
    for (const control of controls) {
      control.addEventListener("blur", () => {
        if (control.value !== "" || isMarked(control)) check(control);
      });
      control.addEventListener("input", () => {
        if (isMarked(control)) check(control);
      });
    }
    form.addEventListener("submit", (event) => {
      const wrong = controls.filter((control) => !check(control));
      if (wrong.length === 0) return;
      event.preventDefault();
      wrong[0]?.focus();
    });
  }
}

function isMarked(control: Control): boolean {
  return control.hasAttribute("aria-invalid");
}

/** Whether the field can be sent as it is; its words are shown or taken away. */
function check(control: Control): boolean {
  const { missing = "", wrong = missing } = control.dataset;
  const isMissing = control.value.trim() === "";
  const isWrong = isMissing || !control.validity.valid;
  const words = document.getElementById(`${control.id}-error`);
  if (words) words.textContent = isMissing ? missing : isWrong ? wrong : "";
  if (isWrong) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
  return !isWrong;
}
