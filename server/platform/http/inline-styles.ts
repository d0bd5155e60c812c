import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type CssRule, readCss } from "./css-rules.ts";
import { usedCss } from "./used-css.ts";

const link = /<link rel="stylesheet" href="(\/assets\/[\w.~-]+\.css)#?"[^>]*>/g;

/**
 * Puts what a page needs of its sheets into the page itself, in place of the links to them: nothing is then
 * waited for but the page. A page whose sheets cannot be read keeps its links.
 *
 * @returns the page, and the Content-Security-Policy's source for the style in it.
 */
export function inlineStyles(
  html: string,
  folder: string,
): { html: string; source: string | null } {
  const hrefs = [...html.matchAll(link)].map(([, href = ""]) => href);
  const rules = rulesOf(hrefs, folder);
  if (rules.length === 0) return { html, source: null };
  const css = usedCss(rules, html);
  let placed = false;
  const inlined = html.replaceAll(link, () => {
    if (placed) return "";
    placed = true;
    return `<style>${css}</style>`;
  });
  const hash = createHash("sha256").update(css).digest("base64");
  return { html: inlined, source: `'sha256-${hash}'` };
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
