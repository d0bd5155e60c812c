import { embedNames, embedProvider, embeds, readEmbedConsent } from "#core/text/embeds.ts";

/**
 * Puts the provider's widgets in the places kept for them (`data-embed`), when this visitor has agreed to that;
 * otherwise nothing is asked of anyone. The site's own part, which stood there, is gone then.
 */
export function putEmbeds(root: ParentNode): void {
  if (readEmbedConsent(document.cookie, location.protocol === "https:") !== "yes") return;
  for (const place of root.querySelectorAll<HTMLElement>("[data-embed]")) {
    const name = embedNames.find((known) => known === place.dataset["embed"]);
    if (name) place.replaceChildren(frame(name));
  }
}

function frame(name: keyof typeof embeds): HTMLIFrameElement {
  const { title, heightPx } = embeds[name];
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const scheme = document.documentElement.dataset["scheme"] ?? system;
  const element = document.createElement("iframe");
  element.title = `${title} by ${embedProvider}`;
  element.src = `/embeds/${name}?scheme=${scheme}`;
  // Of no origin at all: what the provider shows may open its own pages in a tab of theirs, and can neither read
  // nor do anything here, where a customer may be signed in.
  element.sandbox.add("allow-scripts", "allow-popups", "allow-popups-to-escape-sandbox");
  element.style.cssText = `display:block;width:100%;height:${heightPx}px;border:0`;
  return element;
}
