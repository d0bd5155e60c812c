import {
  askAuthenticator,
  type PasskeyPurpose,
  passkeyFault,
} from "#app/ui/forms/ask-authenticator.ts";
import { setUnderWay, whenShownAgain } from "./button.ts";
import { showWrong } from "./words.ts";

/** Asks the browser for a passkey at the press of a button, and sends what it answers (`form[data-passkey]`). */
export function enhancePasskeys(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    const field = form.querySelector<HTMLInputElement>("input[name=passkey]");
    form.querySelector("button")?.addEventListener("click", () => {
      if (field) void ask(form, field);
    });
    whenShownAgain(form);
  }
}

async function ask(form: HTMLFormElement, field: HTMLInputElement): Promise<void> {
  setUnderWay(form, true);
  showWrong(form, []);
  try {
    field.value = await askAuthenticator(form.dataset["passkey"] as PasskeyPurpose);
    form.submit();
  } catch (error) {
    setUnderWay(form, false);
    showWrong(form, [passkeyFault(error)]);
  }
}
