/**
 * The colours by their use, for each scheme. Both are designed; neither is derived from the other. Pages take them from
 * `theme.css`, which a test holds to these.
 */
export const light = {
  paper: "#FBFAF7",
  card: "#FFFFFF",
  sunken: "#F5F2EC",
  hairline: "#E7E2D9",
  fieldBorder: "#8D877B",
  ink: "#16181D",
  muted: "#5B5F69",
  copper: "#A84F20",
  copperHover: "#8A411B",
  copperTint: "#FDF3ED",
  onCopper: "#FFFFFF",
  patina: "#0F6F66",
  patinaTint: "#E7F3F1",
  brick: "#B42318",
  brickHover: "#921B12",
  brickTint: "#FDEEEB",
  amber: "#8A5A00",
  amberTint: "#FFF4D6",
} as const;

export type Token = keyof typeof light;

/** A token's name in CSS: onCopper -> "--assay-on-copper". */
export function variableOf(token: string): string {
  return `--assay-${token.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export const dark: Record<Token, string> = {
  paper: "#14161A",
  card: "#1B1E24",
  sunken: "#101216",
  hairline: "#2B2F37",
  fieldBorder: "#6E7480",
  ink: "#ECE9E3",
  muted: "#A3A7B0",
  copper: "#E08650",
  copperHover: "#E8A278",
  copperTint: "#2A1D15",
  onCopper: "#14161A",
  patina: "#4FB8A8",
  patinaTint: "#12282A",
  brick: "#F07A6E",
  brickHover: "#F3978D",
  brickTint: "#311B1A",
  amber: "#F2C14E",
  amberTint: "#2E2610",
};
