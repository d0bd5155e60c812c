import type { ColourScheme } from "./colour-menu.tsx";

/** Where the choice is kept, for the whole site. */
export const schemeKey = "assay-colour-scheme";

/** Before the page is drawn: so that no one sees it change. */
export const schemeScript = `
try {
  const scheme = localStorage.getItem(${JSON.stringify(schemeKey)});
  if (scheme === "light" || scheme === "dark") document.documentElement.dataset.scheme = scheme;
} catch {}
`.trim();

/** What a browser that keeps nothing for this site has chosen, for as long as the page is there. */
let here: ColourScheme = "auto";

export function chosenScheme(): ColourScheme {
  try {
    const scheme = localStorage.getItem(schemeKey);
    return scheme === "light" || scheme === "dark" ? scheme : here;
  } catch {
    return here;
  }
}

/** Keeps a choice, if the browser keeps anything, and shows the page in it. */
export function chooseScheme(scheme: ColourScheme): void {
  here = scheme;
  try {
    if (scheme === "auto") localStorage.removeItem(schemeKey);
    else localStorage.setItem(schemeKey, scheme);
  } catch {
    // Kept here alone.
  }
  wearScheme();
}

/** Shows the page in the chosen colours; in the system's they follow by style alone. */
export function wearScheme(): void {
  const scheme = chosenScheme();
  if (scheme === "auto") delete document.documentElement.dataset["scheme"];
  else document.documentElement.dataset["scheme"] = scheme;
}

/** Tells when another tab of the site chose, once the page has changed. Until the signal ends it. */
export function onSchemeElsewhere(act: () => void, signal?: AbortSignal): void {
  const listen = ({ key }: StorageEvent) => {
    if (key !== schemeKey && key !== null) return;
    here = "auto";
    wearScheme();
    act();
  };
  addEventListener("storage", listen, { ...(signal && { signal }) });
}
