import { chooseScheme, chosenScheme, onSchemeElsewhere } from "./colour-scheme.ts";

/** Lets the reader choose light, dark or the system's colours (`data-colours`), where React does not take over. */
export function enhanceColourScheme(root: ParentNode): void {
  const menus = [...root.querySelectorAll<HTMLElement>("[data-colours]")];
  const show = () => {
    for (const menu of menus) mark(menu, chosenScheme());
  };
  for (const menu of menus) {
    menu.addEventListener("click", ({ target }) => {
      const choice =
        target instanceof Element ? target.closest<HTMLElement>("[data-choice]") : null;
      const scheme = choice?.dataset["choice"];
      if (scheme !== "light" && scheme !== "dark" && scheme !== "auto") return;
      chooseScheme(scheme);
      show();
      menu.removeAttribute("open");
      menu.querySelector("summary")?.focus();
    });
  }
  onSchemeElsewhere(show);
  show();
}

function mark(menu: HTMLElement, scheme: string): void {
  menu.dataset["colours"] = scheme;
  for (const choice of menu.querySelectorAll<HTMLElement>("[data-choice]")) {
    const pressed = choice.dataset["choice"] === scheme;
    choice.setAttribute("aria-pressed", String(pressed));
    if (pressed) {
      menu.querySelector("summary")?.setAttribute("aria-label", `Colours: ${choice.textContent}`);
    }
  }
}
