/**
 * Reads a plain positive decimal typed by a person, exactly, as an integer of its last place: "1,234.5" with 2 places is
 * 123450n. Null when it is none, or has more places.
 */
export function parseDecimal(text: string, places: number): bigint | null {
  const plain = text.trim().replace(/,(?=\d{3}(\D|$))/g, "");
  const match = /^(\d{1,18})(?:\.(\d*))?$/.exec(plain);
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
