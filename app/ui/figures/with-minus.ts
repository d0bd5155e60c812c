/** A figure as pages show it: "-0.05" is "−0.05", with the sign of mathematics (U+2212). */
export function withMinus(figure: string): string {
  return figure.replace(/^-/, "−");
}
