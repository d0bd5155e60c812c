import { delays } from "#core/terms.ts";
import { copyText } from "./copy-text.ts";

/** Copies a text at the press of its button and says for 2 s that it did (`button[data-copy]`). */
export function enhanceCopyFields(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    const said = button.closest("[data-copy-field]")?.querySelector("[role=status]");
    const template = said?.querySelector("template");
    let timer: ReturnType<typeof setTimeout> | undefined;
    button.addEventListener("click", async () => {
      if (!said || !template || !(await copyText(button.dataset["copy"] ?? ""))) return;
      clearTimeout(timer);
      said.replaceChildren(template, document.importNode(template.content, true));
      button.dataset["copied"] = "";
      timer = setTimeout(() => {
        said.replaceChildren(template);
        delete button.dataset["copied"];
      }, delays.copyConfirmationMs);
    });
  }
}
