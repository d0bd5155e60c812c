import { keepPricesLive } from "#app/ui/market/keep-prices-live.ts";

const kept = "assay-tape-paused";

/** Keeps the prices of the page as they are now, and the tape as still as the reader left it. */
export function enhanceTicker(root: ParentNode): void {
  const pause = root.querySelector<HTMLInputElement>("input[data-tape-pause]");
  if (pause) rememberPause(pause);
  keepPricesLive(root);
}

/** For as long as the tab is open: a browser that keeps nothing for this site loses only this. */
function rememberPause(pause: HTMLInputElement): void {
  try {
    pause.checked = sessionStorage.getItem(kept) === "yes";
    pause.addEventListener("change", () => {
      sessionStorage.setItem(kept, pause.checked ? "yes" : "no");
    });
  } catch {
    // The tape itself pauses by style alone.
  }
}
