/** One rule of a sheet: with other rules in it, with declarations, or with nothing. */
export interface CssRule {
  /** Selectors, or an at-rule with its words. */
  prelude: string;
  rules: CssRule[] | null;
  declarations: string | null;
}

/** At-rules that hold rules; all others are kept as they are. */
const holdsRules = /^@(media|supports|layer|container|scope|starting-style)\b/;

/** Reads a sheet as our own build writes it: well-formed, without comments. */
export function readCss(text: string): CssRule[] {
  const rules: CssRule[] = [];
  let at = 0;
  while (at < text.length) {
    const end = nextOf(text, at, ";{");
    const prelude = text.slice(at, end).trim();
    if (text[end] !== "{") {
      if (prelude) rules.push({ prelude, rules: null, declarations: null });
      at = end + 1;
      continue;
    }
    const close = closingBrace(text, end);
    const body = text.slice(end + 1, close);
    rules.push(
      holdsRules.test(prelude)
        ? { prelude, rules: readCss(body), declarations: null }
        : { prelude, rules: null, declarations: body },
    );
    at = close + 1;
  }
  return rules;
}

export function writeCss(rules: CssRule[]): string {
  return rules
    .map(({ prelude, rules: inner, declarations }) => {
      if (inner) return `${prelude}{${writeCss(inner)}}`;
      return declarations === null ? `${prelude};` : `${prelude}{${declarations}}`;
    })
    .join("");
}

/** Strings, escaped characters, brackets, and what stands between rules. */
const token = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[()[\];,{}]/gs;

/** Where one of the characters stands next, outside strings and brackets; the end when it does not. */
export function nextOf(text: string, from: number, wanted: string): number {
  let depth = 0;
  token.lastIndex = from;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found] = match;
    if (depth === 0 && wanted.includes(found)) return match.index;
    if (found === "(" || found === "[") depth += 1;
    if (found === ")" || found === "]") depth -= 1;
  }
  return text.length;
}

function closingBrace(text: string, open: number): number {
  let at = open + 1;
  for (;;) {
    at = nextOf(text, at, "{}");
    if (text[at] !== "{") return at;
    at = closingBrace(text, at) + 1;
  }
}

export function splitAt(text: string, mark: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const end = nextOf(text, at, mark);
    parts.push(text.slice(at, end).trim());
    at = end + 1;
  }
  return parts.filter((part) => part !== "");
}
