import { type CssRule, splitAt } from "./css-rules.ts";

const variable = /^(--mantine-[\w-]+)\s*:([\s\S]*)$/;

/**
 * Drops those of Mantine's variables that neither the page, nor the rest of its style, nor another variable in
 * use refers to. Ours (`--assay-…`) stay: scripts may read them.
 */
export function withoutUnusedVariables(rules: CssRule[], html: string): CssRule[] {
  const values = new Map<string, string[]>();
  const texts = [html];
  for (const declaration of declarationsOf(rules)) {
    const [, name, value = ""] = variable.exec(declaration) ?? [];
    if (name) values.set(name, [...(values.get(name) ?? []), value]);
    else texts.push(declaration);
  }
  return only(rules, reach(texts, values));
}

/** The names that the texts refer to, and those that the values of these refer to, and so on. */
function reach(texts: string[], values: Map<string, string[]>): Set<string> {
  const needed = new Set<string>();
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const [name] of text.matchAll(/--mantine-[\w-]+/g)) {
      if (!needed.has(name)) texts.push(...(values.get(name) ?? []));
      needed.add(name);
    }
  }
  return needed;
}

function declarationsOf(rules: CssRule[]): string[] {
  return rules.flatMap(({ rules: inner, declarations }) =>
    inner ? declarationsOf(inner) : splitAt(declarations ?? "", ";"),
  );
}

function only(rules: CssRule[], needed: Set<string>): CssRule[] {
  return rules.flatMap((rule) => {
    if (rule.rules) return [{ ...rule, rules: only(rule.rules, needed) }];
    if (rule.declarations === null) return [rule];
    const left = splitAt(rule.declarations, ";").filter((declaration) => {
      const [, name] = variable.exec(declaration) ?? [];
      return name === undefined || needed.has(name);
    });
    return left.length > 0 ? [{ ...rule, declarations: left.join(";") }] : [];
  });
}
