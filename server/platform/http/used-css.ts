import { type CssRule, nextOf, splitAt, writeCss } from "./css-rules.ts";
import { withoutUnusedVariables } from "./used-variables.ts";

/**
 * The part of a sheet that a page can need: rules whose classes stand in its HTML, and of Mantine's variables
 * those that something in it refers to. What scripts change on a page they change by attributes, not classes.
 */
export function usedCss(rules: CssRule[], html: string): string {
  const classes = new Set(
    [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(/\s+/)),
  );
  const kept = withoutUnusedFrames(keepUsed(rules, classes));
  return writeCss(withoutUnusedVariables(kept, html));
}

function keepUsed(rules: CssRule[], classes: Set<string>): CssRule[] {
  return rules.flatMap((rule) => {
    if (rule.rules) {
      const inner = keepUsed(rule.rules, classes);
      return inner.length > 0 ? [{ ...rule, rules: inner }] : [];
    }
    if (rule.declarations === null || rule.prelude.startsWith("@")) return [rule];
    const selectors = splitAt(rule.prelude, ",").filter((selector) => canMatch(selector, classes));
    return selectors.length > 0 ? [{ ...rule, prelude: selectors.join(",") }] : [];
  });
}

/** Whether all classes that a selector asks for are there. What it excludes, or looks for elsewhere, is not asked for. */
function canMatch(selector: string, classes: Set<string>): boolean {
  let rest = "";
  let at = 0;
  while (at < selector.length) {
    const open = nextOf(selector, at, "([");
    rest += selector.slice(at, open);
    if (open >= selector.length) break;
    const close = nextOf(selector, open + 1, ")]");
    if (/:(is|where)$/.test(rest)) {
      const choices = splitAt(selector.slice(open + 1, close), ",");
      if (!choices.some((choice) => canMatch(choice, classes))) return false;
    }
    at = close + 1;
  }
  return [...rest.matchAll(/\.((?:[\w-]|\\.)+)/g)].every(([, name = ""]) =>
    classes.has(name.replaceAll("\\", "")),
  );
}

/** Animations that nothing kept refers to. */
function withoutUnusedFrames(rules: CssRule[]): CssRule[] {
  const played = new Set(
    [...writeCss(rules).matchAll(/[{;]animation(?:-name)?:([^;}]*)/g)].flatMap(([, words = ""]) =>
      words.split(/[\s,]+/),
    ),
  );
  const clean = (each: CssRule[]): CssRule[] =>
    each
      .filter(({ prelude }) => {
        const [, name] = /^@keyframes (.+)$/.exec(prelude) ?? [];
        return name === undefined || played.has(name);
      })
      .map((rule) => (rule.rules ? { ...rule, rules: clean(rule.rules) } : rule));
  return clean(rules);
}
