import { createHash } from "node:crypto";

/**
 * Takes the nonce out of a rendered page, so that it can be given to many readers, and says by which hashes
 * a Content-Security-Policy allows its inline scripts and styles instead. Only what carried the nonce gets a
 * hash: a script that somebody smuggled into the page could not know it, and stays forbidden.
 */
export function noncesToHashes(
  html: string,
  nonce: string,
): { html: string; scripts: string[]; styles: string[] } {
  const attribute = ` nonce="${nonce}"`;
  const scripts = new Set<string>();
  const styles = new Set<string>();
  for (const [, name, attributes, content] of html.matchAll(inlineElement)) {
    if (!attributes?.includes(attribute) || !content) continue;
    const source = `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    (name === "style" ? styles : scripts).add(source);
  }
  return { html: html.replaceAll(attribute, ""), scripts: [...scripts], styles: [...styles] };
}

const inlineElement = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g;
