import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from "@mantine/core";
import { dark, light, shades, type Token, variableOf } from "./tokens.ts";

/**
 * Faces of the system, of the same measure as ours (fonts.css). Those of Linux come first: only there does a browser ask
 * another process for each face, and wait.
 */
export const systemFaces = {
  "--assay-font-serif":
    '"Source Serif 4 on Linux", "Source Serif 4 fallback", "Source Serif 4 on Android", Georgia, serif',
  "--assay-font-sans":
    '"Inter on Linux", "Inter fallback", "Inter on Android", system-ui, sans-serif',
};

/** Ours, the packages' for rare letters, and those of the system until they are there. */
const faces = {
  "--assay-font-serif": `"Assay Serif", "Source Serif 4", ${systemFaces["--assay-font-serif"]}`,
  "--assay-font-sans": `"Assay Sans", "Inter", ${systemFaces["--assay-font-sans"]}`,
};

/** The one theme: paper and ink, one metal, one patina, radius 6, hairlines instead of shadows. */
export const theme = createTheme({
  primaryColor: "copper",
  primaryShade: { light: 7, dark: 4 },
  black: light.ink,
  colors: Object.fromEntries(
    Object.entries(shades).map(([name, tones]) => [
      name,
      [...tones] as unknown as MantineColorsTuple,
    ]),
  ),
  fontFamily: "var(--assay-font-sans)",
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  headings: {
    fontFamily: "var(--assay-font-serif)",
    fontWeight: "600",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: "2rem", lineHeight: "1.2" },
      h2: { fontSize: "1.5rem", lineHeight: "1.25" },
      h3: { fontSize: "1.1875rem", lineHeight: "1.3" },
      h4: { fontSize: "1rem", lineHeight: "1.4" },
      h5: { fontSize: "0.9375rem", lineHeight: "1.4" },
      h6: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  radius: { xs: "4px", sm: "6px", md: "6px", lg: "6px", xl: "6px" },
  defaultRadius: "sm",
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.5rem", xl: "2.5rem" },
  shadows: { xs: "none", sm: "none", md: "none", lg: "none", xl: "none" },
  respectReducedMotion: true,
  cursorType: "pointer",
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    return input.variant === "filled" ? { ...colours, color: "var(--assay-on-copper)" } : colours;
  },
  components: {
    Alert: { defaultProps: { radius: "sm" } },
    // In the dark scheme copper alone does not tell a link from the words around it.
    Anchor: { defaultProps: { underline: "always" } },
    Badge: { defaultProps: { radius: "sm", tt: "none" } },
    Button: { defaultProps: { fw: 550 } },
    Checkbox: { defaultProps: { iconColor: "var(--assay-on-copper)" } },
    Loader: { defaultProps: { type: "oval", size: "sm" } },
    Modal: { defaultProps: { transitionProps: { duration: 120 } } },
    Notification: { defaultProps: { radius: "sm", withBorder: true } },
    Radio: { defaultProps: { iconColor: "var(--assay-on-copper)" } },
    Tooltip: {
      defaultProps: { withArrow: true, arrowSize: 6, transitionProps: { duration: 100 } },
    },
  },
});

/** Gives Mantine's variables our colours, and every token a variable of its own: `--assay-copper`. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: faces,
  light: scheme(light),
  dark: scheme(dark),
});

const tinted = ["copper", "patina", "brick", "amber"] as const;

function scheme(tokens: Record<Token, string>): Record<string, string> {
  const variables = Object.fromEntries(
    Object.entries(tokens).map(([name, colour]) => [variableOf(name), colour]),
  );
  for (const name of tinted) {
    variables[`--mantine-color-${name}-text`] = tokens[name];
    variables[`--mantine-color-${name}-light`] = tokens[`${name}Tint`];
    variables[`--mantine-color-${name}-light-color`] = tokens[name];
    variables[`--mantine-color-${name}-outline`] = tokens[name];
  }
  return {
    ...variables,
    "--mantine-color-text": tokens.ink,
    "--mantine-color-bright": tokens.ink,
    "--mantine-color-body": tokens.paper,
    "--mantine-color-dimmed": tokens.muted,
    "--mantine-color-placeholder": tokens.muted,
    "--mantine-color-anchor": tokens.copper,
    "--mantine-color-error": tokens.brick,
    "--mantine-color-success": tokens.patina,
    "--mantine-color-default": tokens.card,
    "--mantine-color-default-hover": tokens.sunken,
    "--mantine-color-default-color": tokens.ink,
    "--mantine-color-default-border": tokens.fieldBorder,
    "--mantine-color-disabled": tokens.hairline,
    "--mantine-primary-color-contrast": tokens.onCopper,
  };
}
