import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from "@mantine/core";
import { cssVariablesResolver, systemFaces, theme } from "../../app/ui/theme/theme.ts";

/** Mantine's own colours, none of which we use. */
const foreign =
  /^--mantine-color-(red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)-/;

/**
 * Every variable of the theme as a sheet of its own, kept by browsers, where Mantine would write it into each
 * page anew. What is dark is for screens: on paper ink is dark, whatever was chosen.
 */
export function themeSheet(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const [theirs, ours] = [defaultCssVariablesResolver(merged), cssVariablesResolver(merged)];
  const light = own({ "--mantine-color-scheme": "light", ...theirs.light, ...ours.light });
  const dark = own({ "--mantine-color-scheme": "dark", ...theirs.dark, ...ours.dark });
  const always = own({ ...theirs.variables, ...ours.variables });
  return [
    convertCssVariables({ variables: { ...always, ...light }, light: {}, dark: {} }),
    `@media screen{${convertCssVariables({ variables: {}, light: {}, dark })}}`,
    firstPage,
  ].join("");
}

/** Leaves our fonts out of a visit's first page until it has been drawn and they are there: app/section-script.tsx. */
const firstPage = `:root[data-fonts]{${Object.entries(systemFaces)
  .map(([name, faces]) => `${name}:${faces}`)
  .join(";")}}`;

function own(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !foreign.test(name)));
}
