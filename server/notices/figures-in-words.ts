import { amountInWords, formatUsdMicros } from "#core/money.ts";

/** Satoshi as a letter says them, with a real minus: "−0.00008000 BTC". */
export function btc(sats: bigint): string {
  return amountInWords(sats, "BTC").replace("-", "−");
}

/** Millionths of a dollar to the cent: "−$2.33". */
export function usd(micros: bigint): string {
  return formatUsdMicros(micros).replace("-", "−");
}

/** The same with its sign, as a result: "+$0.80". */
export function signedUsd(micros: bigint): string {
  const text = usd(micros);
  return micros > 0n && text !== "$0.00" ? `+${text}` : text;
}

/** Dollars of one TH/s for one day, with all places that count: "$0.0525 per TH/s per day". */
export function perThsDay(micros: bigint): string {
  return `$${toDollars(micros)} per TH/s per day`;
}

/** Small sums of dollars with all six places that count: "0.030000" as "0.03". */
export function toDollars(micros: bigint): string {
  const digits = micros.toString().padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -6)}.${decimals}`;
}

/** A change in per cent, to a tenth: "+4.1 %"; null where there was nothing before. */
export function changeInWords(before: bigint, after: bigint): string | null {
  if (before <= 0n) return null;
  const difference = after - before;
  const size = difference < 0n ? -difference : difference;
  const tenths = (size * 1000n + before / 2n) / before;
  const sign = tenths === 0n ? "±" : difference < 0n ? "−" : "+";
  return `${sign}${tenths / 10n}.${tenths % 10n} %`;
}
