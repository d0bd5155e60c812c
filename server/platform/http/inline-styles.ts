import { readFileSync } from "node:fs";
import path from "node:path";
import { type CssRule, readCss } from "./css-rules.ts";
import { usedCss } from "./used-css.ts";

const link = /<link (?:nonce="[^"]*" )?rel="stylesheet" href="(\/assets\/[\w.~-]+\.css)#?"[^>]*>/g;

/**
 * Puts what a page needs of its sheets into the page itself, in place of the links to them: nothing is then
 * waited for but the page. A page whose sheets cannot be read keeps its links. The style carries the nonce by which
 * the Content-Security-Policy allows it.
 */
export function inlineStyles(html: string, folder: string, nonce: string): string {
  const hrefs = [...html.matchAll(link)].map(([, href = ""]) => href);
  const css = cssOf(hrefs, html, folder);
  if (css === "") return html;
  let placed = false;
  return html.replaceAll(link, () => {
    if (placed) return "";
    placed = true;
    return `<style nonce="${nonce}">${css}</style>`;
  });
}

/**
 * All of a page that decides which rules are chosen: its classes (used-css.ts) and the variables that it names anywhere,
 * be it in a style, in an attribute of a drawing or in a script (used-variables.ts).
 */
const deciding = /\sclass="[^"]*"|--mantine-[\w-]+/g;

/** What was found for pages that ask for the same: choosing the rules takes longer than drawing a small page. */
const found = new Map<string, string>();
const mostFound = 200;

function cssOf(hrefs: string[], html: string, folder: string): string {
  const asked = new Set(html.match(deciding));
  const key = [...hrefs, ...asked].join();
  const known = found.get(key);
  if (known !== undefined) return known;
  const rules = rulesOf(hrefs, folder);
  const css = rules.length === 0 ? "" : usedCss(rules, html);
  if (found.size >= mostFound) found.clear();
  found.set(key, css);
  return css;
}

/** Sheets never change under one name: each is read once. */
const sheets = new Map<string, CssRule[]>();

function rulesOf(hrefs: string[], folder: string): CssRule[] {
  try {
    return hrefs.flatMap((href) => {
      const known = sheets.get(href) ?? readCss(readFileSync(path.join(folder, href), "utf8"));
      sheets.set(href, known);
      return known;
    });
  } catch {
    return [];
  }
}
