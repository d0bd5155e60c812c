const thousands = /^[1-9]\d{0,2}(,\d{3})+(?=\.|$)/;

/**
 * A typed number without the commas that separate its thousands. Any other comma stays: to many people it is the sign before the
 * decimals, and "0,001" read as 1 would be a thousand times too much.
 */
export function withoutGrouping(text: string): string {
  return text.trim().replace(thousands, (whole) => whole.replaceAll(",", ""));
}

/** Said of a number with a comma that separates no thousands. */
export const commaWords = "Write a point before the decimals, such as 0.5, or 1,234.5";

/** Whether it is a number but for a comma that separates no thousands. */
export function hasOddComma(text: string): boolean {
  const bare = text.trim().replace(/^[-−+]?\s*\$?\s*|\s*(%|TH\/s)$/gi, "");
  return /^[\d.,]*\d[\d.,]*$/.test(bare) && withoutGrouping(bare).includes(",");
}

/**
 * Reads a plain positive decimal typed by a person, exactly, as an integer of its last place: "1,234.5" with 2 places is
 * 123450n. Null when it is none, or has more places.
 */
export function parseDecimal(text: string, places: number): bigint | null {
  const match = /^(\d{1,18})(?:\.(\d*))?$/.exec(withoutGrouping(text));
  const whole = match?.[1];
  const fraction = match?.[2] ?? "";
  if (whole === undefined || fraction.length > places) return null;
  return BigInt(whole + fraction.padEnd(places, "0"));
}

/** The decimal of an integer of a last place, without zeros that say nothing: 123450n with 2 places is "1234.5". */
export function writeDecimal(value: bigint, places: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, "0");
  const point = digits.length - places;
  const fraction = digits.slice(point).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}${fraction ? `.${fraction}` : ""}`;
}

/** Hundredths with both their places: 1230n is "12.30". Of numbers that are not below zero. */
export function writeHundredths(hundredths: bigint): string {
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
}
