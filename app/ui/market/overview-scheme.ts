export type Scheme = "light" | "dark";

const kept = "assay-overview-scheme";

/** Light, until the reader chooses dark. */
export function keptScheme(): Scheme {
  try {
    return localStorage.getItem(kept) === "dark" ? "dark" : "light";
  } catch {
    return "light";
  }
}

export function keepScheme(scheme: Scheme): void {
  try {
    localStorage.setItem(kept, scheme);
  } catch {
    // It lasts as long as the page.
  }
}

/** Gives an overview the colours of a scheme, and its button the word for the other. */
export function wearScheme(root: HTMLElement, scheme: Scheme): void {
  root.dataset["scheme"] = scheme;
  const button = root.querySelector<HTMLElement>("[data-overview-theme]");
  if (!button) return;
  button.textContent = scheme === "dark" ? "Light chart" : "Dark chart";
  button.hidden = false;
}
