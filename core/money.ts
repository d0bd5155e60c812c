import { type Asset, type Coin, decimals } from "./asset.ts";
import { parseDecimal } from "./decimal.ts";

/**
 * Reads a decimal amount typed by a person, exactly: "1,234.5", "$0.07".
 * Null when it is not a plain positive decimal or has more places than the asset.
 */
export function parseAmount(text: string, asset: Asset): bigint | null {
  return parseDecimal(text.trim().replace(/^\$\s*/, ""), decimals[asset]);
}

/** The exact decimal string of an amount, with all of the asset's places: 70000n BTC -> "0.00070000". */
export function toDecimal(units: bigint, asset: Asset): string {
  const places = decimals[asset];
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const point = digits.length - places;
  return `${units < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const usd = new Map<string, Intl.NumberFormat>();

/** US dollars from cents, two decimals: -5n -> "-$0.05", or as another language writes them. */
export function formatUsd(cents: bigint, locale: string | null = null): string {
  const key = locale ?? "en-US";
  let format = usd.get(key);
  if (!format) {
    format = new Intl.NumberFormat(key, { style: "currency", currency: "USD" });
    usd.set(key, format);
  }
  return format.format(toDecimal(cents, "USD") as Intl.StringNumericLiteral);
}

const whole = new Map<string, Intl.NumberFormat>();

/** A whole number in groups: 1234567n -> "1,234,567", or as another language writes it. */
export function formatWhole(count: bigint, locale: string | null = null): string {
  const key = locale ?? "en-US";
  // Making a format takes a hundred times as long as using it.
  const format = whole.get(key) ?? new Intl.NumberFormat(key);
  whole.set(key, format);
  return format.format(count);
}

const marks = new Map<string, { group: string; decimal: string }>();

/** A number as the site writes it, "1,234.5", with the marks of another language: "1.234,5". */
export function withMarksOf(locale: string | null, text: string): string {
  if (locale === null) return text;
  let own = marks.get(locale);
  if (!own) {
    const parts = new Intl.NumberFormat(locale).formatToParts(1234567.8);
    const markOf = (type: string, site: string) =>
      parts.find((part) => part.type === type)?.value ?? site;
    own = { group: markOf("group", ","), decimal: markOf("decimal", ".") };
    marks.set(locale, own);
  }
  const { group, decimal } = own;
  return text.replace(/[,.]/g, (mark) => (mark === "," ? group : decimal));
}

const grouped = new Map<Asset, Intl.NumberFormat>();

/** A grouped decimal with all of the asset's places and no unit: 123456789n BTC -> "1.23456789". */
export function formatAmount(units: bigint, asset: Asset): string {
  let format = grouped.get(asset);
  if (!format) {
    const places = {
      minimumFractionDigits: decimals[asset],
      maximumFractionDigits: decimals[asset],
    };
    format = new Intl.NumberFormat("en-US", places);
    grouped.set(asset, format);
  }
  return format.format(toDecimal(units, asset) as Intl.StringNumericLiteral);
}

/**
 * An amount and its coin as a letter says them: without the zeros that an ether has beyond its eighth place:
 * 284519000000000000n ETH -> "0.28451900 ETH".
 */
export function amountInWords(units: bigint, asset: Coin): string {
  const whole = formatAmount(units, asset);
  const bare = whole.replace(/0+$/, "").length;
  const eightPlaces = whole.length - Math.max(0, decimals[asset] - 8);
  return `${whole.slice(0, Math.max(bare, eightPlaces))} ${asset}`;
}

/**
 * Dollars from millionths of one: to the cent, or with as many places as are asked for, rounded to the nearest (halves
 * away from zero): 41_912n with 4 -> "$0.0419".
 */
export function formatUsdMicros(micros: bigint, places = 2): string {
  const step = 10n ** BigInt(6 - places);
  const size = micros < 0n ? -micros : micros;
  const digits = ((size + step / 2n) / step).toString().padStart(places + 1, "0");
  const dollars = formatWhole(BigInt(digits.slice(0, -places)));
  const sign = micros < 0n && !/^0+$/.test(digits) ? "-" : "";
  return `${sign}$${dollars}.${digits.slice(-places)}`;
}

/** A quotient rounded down, below zero too: of what somebody lost no cent is left out. */
export function floorOf(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor !== 0n && value < 0n !== divisor < 0n ? quotient - 1n : quotient;
}
