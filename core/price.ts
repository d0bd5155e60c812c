import { type Coin, decimals } from "./asset.ts";

/** What prices are kept of, each in US dollars, in the order of the ticker tape. */
export const pricedAssets = ["BTC", "ETH", "XRP", "DOGE", "SOL", "USDT"] as const;
export type PricedAsset = (typeof pricedAssets)[number];

/** The ticker's, in its order: the tether of a dollar is none of them. */
export const tapeAssets = ["BTC", "ETH", "XRP", "DOGE", "SOL"] as const satisfies PricedAsset[];

export function isPricedAsset(text: string): text is PricedAsset {
  return (pricedAssets as readonly string[]).includes(text);
}

/** What people call them. */
export const assetNames: Record<PricedAsset, string> = {
  BTC: "Bitcoin",
  ETH: "Ether",
  XRP: "XRP",
  DOGE: "Dogecoin",
  SOL: "Solana",
  USDT: "Tether",
};

/** Why there is no newer price: too few sources answered with a fresh one, or those that did disagree. */
export type PriceTrouble = RoundTrouble | "not-asked";
/** What a round of questions came to. */
export type RoundTrouble = "too-few-sources" | "sources-disagree";

/** A price as it travels to browsers, in `/events/prices`: a list of these, one per asset that has a price. */
export interface PriceMessage {
  asset: PricedAsset;
  /** Exact decimal with eight places. */
  usd: string;
  /** As shown: "$91,234.50", "$0.1601". */
  shown: string;
  /** How many exchanges agreed, and which. */
  sources: number;
  agreed: string[];
  observedAt: string;
  /** Age at the moment of sending, so that a browser need not trust its own clock. */
  ageMs: number;
  /** Young enough to value money with. */
  fresh: boolean;
  simulated: boolean;
  /** Per cent in 24 hours, two decimals; null: not known. */
  change24h: number | null;
  trouble: PriceTrouble | null;
}

/** A day of a chart as `/market/candles/:asset.json` gives it. Prices are exact decimals. */
export interface CandleMessage {
  /** UTC day, YYYY-MM-DD. */
  day: string;
  open: string;
  high: string;
  low: string;
  close: string;
}

/** What `/market/candles/:asset.json` answers: oldest day first, days without trustworthy figures missing. */
export interface CandlesMessage {
  asset: PricedAsset;
  simulated: boolean;
  candles: CandleMessage[];
}

/** Prices are integers in 10^-8 dollars, whatever the asset. */
const placesOfPrice = 8;

/** The exact decimal string of a price: 9123450000000n -> "91234.50000000". */
export function toUsd(usdE8: bigint): string {
  const digits = usdE8.toString().padStart(placesOfPrice + 1, "0");
  return `${digits.slice(0, -placesOfPrice)}.${digits.slice(-placesOfPrice)}`;
}

/**
 * Reads a decimal price exactly, cut after eight places. Null when it is no plain decimal above zero, or
 * beyond a trillion dollars: what an exchange in trouble might send.
 */
export function parseUsd(text: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,30}))?$/.exec(text);
  if (!match) return null;
  const fraction = (match[2] ?? "").slice(0, placesOfPrice).padEnd(placesOfPrice, "0");
  const usdE8 = BigInt(`${match[1]}${fraction}`);
  return usdE8 > 0n ? usdE8 : null;
}

// Made at their first use: making one takes a browser as long as all the rest of a page's script.
let large: Intl.NumberFormat | undefined;
let small: Intl.NumberFormat | undefined;
const dollars = { style: "currency", currency: "USD" } as const;
const fourDigits = { minimumSignificantDigits: 4, maximumSignificantDigits: 4 };

/** A price as people read it: cents from ten dollars on, four places or digits below. */
export function formatPrice(usdE8: bigint): string {
  const decimal = toUsd(usdE8) as Intl.StringNumericLiteral;
  if (usdE8 >= 10n * 10n ** 8n) {
    large ??= new Intl.NumberFormat("en-US", dollars);
    return large.format(decimal);
  }
  small ??= new Intl.NumberFormat("en-US", { ...dollars, ...fourDigits });
  return small.format(decimal);
}

/** How much of a coin a value in cents is, to eight places, rounded to the nearest (halves away from zero). */
export function unitsForUsdCents(cents: bigint, coin: Coin, usdE8: bigint): bigint {
  const places = decimals[coin] < 8 ? decimals[coin] : 8;
  const scaled = cents * 10n ** BigInt(places + placesOfPrice - 2);
  const half = scaled < 0n ? -usdE8 / 2n : usdE8 / 2n;
  return ((scaled + half) / usdE8) * 10n ** BigInt(decimals[coin] - places);
}

/** How much of a coin pays a price in cents, rounded up to the coin's smallest unit: what is paid covers the price. */
export function unitsToPayUsdCents(cents: bigint, coin: Coin, usdE8: bigint): bigint {
  const scaled = cents * 10n ** BigInt(decimals[coin] + placesOfPrice - 2);
  return (scaled + usdE8 - 1n) / usdE8;
}

/** What an amount of a coin is worth, in cents, rounded to the nearest (halves up). */
export function valueInUsdCents(units: bigint, coin: Coin, usdE8: bigint): bigint {
  const scale = 10n ** BigInt(decimals[coin] + placesOfPrice - 2);
  return (units * usdE8 + scale / 2n) / scale;
}
