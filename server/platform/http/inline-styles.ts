import { readFileSync } from "node:fs";
import path from "node:path";

const link = /<link (?:nonce="[^"]*" )?rel="stylesheet" href="(\/assets\/[\w.~-]+\.css)#?"[^>]*>/g;

/**
 * Puts a page's sheets into the page itself, in place of the links to them: nothing is then waited for but the page. A page
 * whose sheets cannot be read keeps its links. The style carries the nonce by which the Content-Security-Policy allows it.
 */
export function inlineStyles(html: string, folder: string, nonce: string): string {
  const css = sheetsOf(
    [...html.matchAll(link)].map(([, href = ""]) => href),
    folder,
  );
  if (css === "") return html;
  let placed = false;
  return html.replaceAll(link, () => {
    if (placed) return "";
    placed = true;
    return `<style nonce="${nonce}">${css}</style>`;
  });
}

/** Sheets never change under one name: each is read once. */
const sheets = new Map<string, string>();

function sheetsOf(hrefs: string[], folder: string): string {
  try {
    return hrefs
      .map((href) => {
        const css = sheets.get(href) ?? readFileSync(path.join(folder, href), "utf8").trim();
        sheets.set(href, css);
        return css;
      })
      .join("");
  } catch {
    return "";
  }
}
