/** Where Mantine keeps the choice: the hydrated pages and the script in the head read the same place. */
const kept = "mantine-color-scheme-value";

/** Lets the reader choose light, dark or the system's colours (`data-colours`), for the whole site. */
export function enhanceColourScheme(root: ParentNode): void {
  const menus = [...root.querySelectorAll<HTMLElement>("[data-colours]")];
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const scheme = chosen();
    const seen = scheme === "auto" ? (system.matches ? "dark" : "light") : scheme;
    document.documentElement.setAttribute("data-mantine-color-scheme", seen);
    for (const menu of menus) mark(menu, scheme);
  };
  for (const menu of menus) {
    menu.addEventListener("click", ({ target }) => {
      const choice =
        target instanceof Element ? target.closest<HTMLElement>("[data-scheme]") : null;
      if (!choice) return;
      keep(choice.dataset["scheme"] ?? "auto");
      show();
      menu.removeAttribute("open");
      menu.querySelector("summary")?.focus();
    });
  }
  system.addEventListener("change", show);
  // Another tab of the site chose.
  addEventListener("storage", ({ key }) => {
    if (key === kept) show();
  });
  show();
}

function mark(menu: HTMLElement, scheme: string): void {
  menu.dataset["colours"] = scheme;
  for (const choice of menu.querySelectorAll<HTMLElement>("[data-scheme]")) {
    const pressed = choice.dataset["scheme"] === scheme;
    choice.setAttribute("aria-pressed", String(pressed));
    if (pressed) {
      menu.querySelector("summary")?.setAttribute("aria-label", `Colours: ${choice.textContent}`);
    }
  }
}

/** What a browser that keeps nothing for this site has chosen, for as long as the page stands. */
let here = "auto";

function chosen(): string {
  try {
    const scheme = localStorage.getItem(kept);
    return scheme === "light" || scheme === "dark" || scheme === "auto" ? scheme : here;
  } catch {
    return here;
  }
}

function keep(scheme: string): void {
  here = scheme;
  try {
    localStorage.setItem(kept, scheme);
  } catch {
    // Kept here alone.
  }
}
