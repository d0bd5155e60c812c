import { parseDecimal, writeDecimal } from "../decimal.ts";

/** People speak of satoshis per virtual byte; of 1,000 they are whole, to a thousandth. */
const places = 3;

/** Satoshis per 1,000 virtual bytes out of what was typed, `1.5` or `12`. Null: it is none, or finer than a thousandth. */
export function parseFeeRate(text: string): number | null {
  const rate = parseDecimal(text, places);
  return rate === null || rate > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(rate);
}

export function writeFeeRate(feePerKvb: number): string {
  return writeDecimal(BigInt(feePerKvb), places);
}
