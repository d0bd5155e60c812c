import { type CssRule, readCss, splitAt, writeCss } from "../../server/platform/http/css-rules.ts";

const isDark = /\[data-mantine-color-scheme=(["']?)dark\1\]/g;

/**
 * A sheet with its dark rules once more, for browsers without scripts whose system asks for dark. Mantine's scheme is an
 * attribute that a script sets; a page says light until then, and for good where there is none.
 */
export function withDarkWithoutScript(sheet: string): string {
  const rules = darkOnes(readCss(sheet.replaceAll(/\/\*[\s\S]*?\*\//g, "")));
  return `${sheet}@media (scripting:none) and (prefers-color-scheme:dark){${writeCss(rules)}}`;
}

/** The dark rules, in the layers and conditions that they stand in, of what says light. */
function darkOnes(rules: CssRule[]): CssRule[] {
  return rules.flatMap((rule) => {
    if (rule.rules) {
      const inner = darkOnes(rule.rules);
      return inner.length > 0 ? [{ ...rule, rules: inner }] : [];
    }
    const selectors = splitAt(rule.prelude, ",").filter((each) => each.search(isDark) >= 0);
    if (selectors.length === 0) return [];
    const prelude = selectors.join(",").replace(isDark, '[data-mantine-color-scheme="light"]');
    return [{ ...rule, prelude }];
  });
}
