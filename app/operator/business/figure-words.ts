import { withMinus } from "#app/ui/figures/with-minus.ts";
import { type Coin, decimals } from "#core/asset.ts";
import type { Sum } from "#core/markets/business-figures.ts";
import { formatAmount, formatUsdMicros } from "#core/money.ts";

/** What the page counts in: dollars at the price of each day, or one coin. */
export const shownUnits = ["USD", "BTC", "ETH", "USDT"] as const;
export type ShownUnit = (typeof shownUnits)[number];

export function isShownUnit(text: string | null): text is ShownUnit {
  return shownUnits.some((unit) => unit === text);
}

/** How much a sum is in what is shown: millionths of a dollar, or the coin's smallest units. Null: a price is missing. */
export function amountOf(sum: Sum, unit: ShownUnit): bigint | null {
  return unit === "USD" ? sum.usdMicros : sum.coins[unit];
}

export function writeAmount(amount: bigint, unit: ShownUnit): string {
  if (unit === "USD") return withMinus(formatUsdMicros(amount));
  return `${withMinus(writeCoin(amount, unit))} ${unit}`;
}

/** A round figure of a chart's scale, without the places that say nothing. */
export function writeScale(value: number, unit: ShownUnit): string {
  const places = unit === "USD" ? 6 : decimals[unit];
  const size = value / 10 ** places;
  const text = size.toLocaleString("en-US", { maximumSignificantDigits: 3 });
  return unit === "USD" ? withMinus(text.replace(/^(-?)/, "$1$")) : `${withMinus(text)} ${unit}`;
}

/** Ether to eight places: more say nothing here. */
function writeCoin(amount: bigint, coin: Coin): string {
  const text = formatAmount(amount, coin);
  return coin === "ETH" ? text.slice(0, -10) : text;
}

/** A day as it is, a month by its name: "Nov 2026". */
export function periodName(period: string): string {
  if (period.length !== 7) return period;
  const at = new Date(`${period}-01T00:00:00Z`);
  return at.toLocaleDateString("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
}
