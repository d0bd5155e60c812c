import { createElement, type ReactNode } from "react";

interface Open {
  name: string;
  props: Record<string, unknown>;
  children: ReactNode[];
}

const empty = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const token =
  /<!doctype[^>]*>|<!--[\s\S]*?-->|<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>|<(\/?)([\w:-]+)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/gi;

/** The tree of React's elements whose rendering gives this markup: host elements only, no components. */
export function markupTree(html: string): ReactNode {
  const root: Open = { name: "", props: {}, children: [] };
  const open = [root];
  for (const match of html.matchAll(token)) {
    const [text, raw, rawAttributes, rawText, closing, name, attributes, closed] = match;
    if (closing === "/") close(open);
    else if (name !== undefined) {
      open.push({ name, props: propsOf(attributes), children: [] });
      if (closed === "/" || empty.has(name)) close(open);
    } else open.at(-1)?.children.push(leafOf(text, raw, rawAttributes, rawText));
  }
  // The document type comes by itself before an <html>.
  return root.children.find((child) => child !== null);
}

function leafOf(text: string, raw?: string, attributes?: string, content?: string): ReactNode {
  if (raw === undefined) return text.startsWith("<!") ? null : unescaped(text);
  return createElement(raw, {
    ...propsOf(attributes),
    dangerouslySetInnerHTML: { __html: content ?? "" },
  });
}

function close(open: Open[]): void {
  const done = open.pop();
  if (done) open.at(-1)?.children.push(createElement(done.name, done.props, ...done.children));
}

function propsOf(attributes = ""): Record<string, unknown> {
  const pairs = [...attributes.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(
    pairs.map(([, name = "", value]) => {
      if (name === "class") return ["className", unescaped(value ?? "")];
      if (name === "style") return ["style", styleOf(unescaped(value ?? ""))];
      if (value === undefined || value === "") return [name, booleans.has(name) ? true : ""];
      return [name, unescaped(value)];
    }),
  );
}

const booleans = new Set(
  "async checked defer disabled hidden inert multiple open readonly required selected".split(" "),
);

function styleOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(";").flatMap((declaration) => {
      const [name = "", ...value] = declaration.split(":");
      if (!name.trim()) return [];
      const key = name.startsWith("--")
        ? name
        : name.trim().replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      return [[key, value.join(":")]];
    }),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
