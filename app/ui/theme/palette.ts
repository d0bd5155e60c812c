import { dark, light, type Token, variableOf } from "./tokens.ts";

export type Scheme = "light" | "dark";

/** The tokens of one scheme as CSS variables, for a part that has a scheme of its own whatever the page's is. */
export function paletteOf(scheme: Scheme): Record<string, string> {
  const tokens: Record<Token, string> = scheme === "light" ? light : dark;
  return Object.fromEntries(
    (Object.keys(tokens) as Token[]).map((token) => [variableOf(token), tokens[token]]),
  );
}
