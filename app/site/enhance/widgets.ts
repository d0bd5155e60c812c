import { putEmbeds } from "#app/ui/market/put-embeds.ts";
import { type EmbedConsent, embedProvider, readEmbedConsent } from "#core/text/embeds.ts";

/**
 * Asks the visitor about the provider's widgets where the operator has switched some on (`data-embed-bar`), shows
 * them after a yes (`data-embed`), and says on the page about them what was chosen (`data-embed-choice`).
 */
export function enhanceWidgets(root: ParentNode): void {
  const choice = readEmbedConsent(document.cookie, location.protocol === "https:");
  for (const words of root.querySelectorAll<HTMLElement>("[data-embed-choice]")) {
    words.textContent = chosen[choice];
  }
  // The page about them asks on its own.
  if (choice === "unasked" && !root.querySelector("[data-embed-choice]")) {
    for (const bar of root.querySelectorAll<HTMLElement>("[data-embed-bar]")) ask(bar);
  }
  putEmbeds(root);
}

function ask(bar: HTMLElement): void {
  const back = bar.querySelector<HTMLInputElement>('input[name="back"]');
  if (back) back.value = location.pathname + location.search;
  bar.hidden = false;
}

const chosen: Record<EmbedConsent, string> = {
  yes: `You have chosen ${embedProvider}'s widgets: they are loaded from there.`,
  no: "You have chosen this site's own: nothing is loaded from elsewhere.",
  unasked: "You have not chosen yet: nothing is loaded.",
};
