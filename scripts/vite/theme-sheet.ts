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

/**
 * Of a visit's first page: our fonts are left out until it has been drawn, and what is below the screen is laid out after
 * they have come (app/section-script.tsx), but for who came to a place on the page.
 */
const firstPage = [
  `:root[data-fonts="later"]{${Object.entries(systemFaces)
    .map(([name, faces]) => `${name}:${faces}`)
    .join(";")}}`,
  ":root[data-fonts]:not(:has(:target)) :is(main section~section,main details~details,body>*>footer)",
  "{content-visibility:auto;contain-intrinsic-block-size:auto 30rem}",
  ":root[data-fonts] main details~details{contain-intrinsic-block-size:auto 3.5rem}",
].join("");

function own(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !foreign.test(name)));
}
