import { parseDecimal, writeDecimal } from "../decimal.ts";

/** Reads a hashrate typed in TH/s, exactly to the GH/s. */
export function parseThs(text: string): bigint | null {
  return parseDecimal(text.replace(/\s*TH\/s$/i, ""), 3);
}

/** A hashrate for a form, in TH/s: 104_500n -> "104.5". */
export function writeThs(ghs: bigint): string {
  return writeDecimal(ghs, 3);
}

const units = [
  { unit: "EH/s", ghs: 1_000_000_000n },
  { unit: "PH/s", ghs: 1_000_000n },
  { unit: "TH/s", ghs: 1_000n },
] as const;

/** A hashrate as it is read: in the largest unit of which there is one, to three places, rounded down. */
export function formatHashrate(ghs: bigint): string {
  const { unit, ghs: one } = units.find((each) => ghs >= each.ghs) ?? units[2];
  const whole = (ghs / one).toLocaleString("en-US");
  const thousandths = ((ghs % one) * 1000n) / one;
  const fraction = thousandths.toString().padStart(3, "0").replace(/0+$/, "");
  return `${whole}${fraction ? `.${fraction}` : ""} ${unit}`;
}
