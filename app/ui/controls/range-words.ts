/** The figure of a range in words: "+2 %", "−50 %", "100". */
export function rangeWords(
  value: number,
  { unit, signed }: { unit: string; signed: boolean },
): string {
  const size = Math.abs(value).toLocaleString("en-US");
  const sign = value < 0 ? "\u2212" : signed && value > 0 ? "+" : "";
  return `${sign}${size}${unit && `\u00a0${unit}`}`;
}
