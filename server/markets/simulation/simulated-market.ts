import type { PricedAsset } from "#core/price.ts";
import { startOfDay, utcDay } from "#core/utc-day.ts";

/** The exchanges and the network server whose answers can be imitated. */
export const venues = ["kraken", "coinbase", "bitstamp", "mempool"] as const;
export type Venue = (typeof venues)[number];

/** Prices of one UTC day as decimals. */
export interface MarketDay {
  open: string;
  high: string;
  low: string;
  close: string;
}

/** What an imitated exchange talks about: what things cost, and cost before. */
export interface Market {
  now(): Date;
  price(venue: Venue, asset: PricedAsset, at: Date): string;
  /** Null: that venue has no such day. */
  day(venue: Venue, asset: PricedAsset, day: string): MarketDay | null;
  network(at: Date): { height: number; difficulty: number; hashrate: number };
}

const places: Record<PricedAsset, number> = { BTC: 2, ETH: 2, XRP: 4, DOGE: 5, SOL: 2, USDT: 4 };

/** Around what an invented price wanders, and how far: a stablecoin hardly does. */
const levels: Record<PricedAsset, { usd: number; swing: number }> = {
  BTC: { usd: 66_000, swing: 1 },
  ETH: { usd: 2_950, swing: 1.3 },
  XRP: { usd: 1.9, swing: 1.4 },
  DOGE: { usd: 0.16, swing: 1.6 },
  SOL: { usd: 145, swing: 1.5 },
  USDT: { usd: 0.9997, swing: 0.004 },
};

/** Slow and fast waves that a price is made of: how long one takes, and how much it moves. */
const waves = [
  { ms: 150 * 86_400_000, size: 0.22 },
  { ms: 37 * 86_400_000, size: 0.09 },
  { ms: 8 * 86_400_000, size: 0.04 },
  { ms: 40 * 3_600_000, size: 0.02 },
  { ms: 7 * 3_600_000, size: 0.008 },
  { ms: 80 * 60_000, size: 0.003 },
  { ms: 12 * 60_000, size: 0.0012 },
  { ms: 45_000, size: 0.0004 },
];

/** The part of the invented curves that every market shows from its first day on. */
const firstMoment = Date.UTC(2026, 10, 24);

/**
 * A market where nobody trades: its invented prices are functions of the time since its first day, a UTC day. A demo thus shows
 * the same business whenever it is filled.
 */
export function simulatedMarket(now: () => Date, firstDay: string): Market {
  const shift = firstMoment - startOfDay(firstDay).getTime();
  const priceAt = (venue: Venue, asset: PricedAsset, ms: number) =>
    priceText(venue, asset, ms + shift);
  return {
    now,
    price: (venue, asset, at) => priceAt(venue, asset, at.getTime()),
    day: (venue, asset, day) => simulatedDay((ms) => priceAt(venue, asset, ms), day, now()),
    network: (at) => simulatedNetwork(at.getTime() + shift),
  };
}

function priceText(venue: Venue, asset: PricedAsset, ms: number): string {
  const { usd, swing } = levels[asset];
  const moved = waves.reduce(
    (sum, wave, i) => sum + wave.size * noise(`${asset}${i}`, ms / wave.ms),
    0,
  );
  // No two exchanges say quite the same.
  const off = 0.0004 * swing * noise(`${venue}${asset}`, ms / 60_000);
  return (usd * Math.exp(moved * swing + off)).toFixed(places[asset]);
}

function simulatedDay(priceAt: (ms: number) => string, day: string, now: Date): MarketDay | null {
  if (day > utcDay(now)) return null;
  const start = startOfDay(day).getTime();
  const hours = Array.from({ length: 25 }, (_, hour) => start + hour * 3_600_000);
  const passed = hours.filter((ms) => ms <= now.getTime());
  if (passed.length < hours.length) passed.push(now.getTime());
  const prices = passed.map(priceAt);
  const [open = "0", close = open] = [prices[0], prices.at(-1)];
  const sorted = prices.toSorted((a, b) => Number(a) - Number(b));
  return { open, close, low: sorted[0] ?? open, high: sorted.at(-1) ?? open };
}

function simulatedNetwork(ms: number): { height: number; difficulty: number; hashrate: number } {
  const since2025 = ms - Date.UTC(2025, 0, 1);
  const height = Math.max(0, 877_000 + Math.floor(since2025 / 600_000));
  const difficulty = 1.2e14 * Math.exp(0.1 * noise("difficulty", Math.floor(height / 2016) / 4));
  const luck = 1 + 0.05 * noise("hashrate", since2025 / 86_400_000);
  return { height, difficulty, hashrate: ((difficulty * 2 ** 32) / 600) * luck };
}

/** A smooth curve between -1 and 1 that depends on the seed and the place alone. */
function noise(seed: string, place: number): number {
  const left = Math.floor(place);
  const part = place - left;
  const weight = part * part * (3 - 2 * part);
  return scatter(seed, left) * (1 - weight) + scatter(seed, left + 1) * weight;
}

/** FNV-1a, stirred once more: numbers that look random and are the same each time. */
function scatter(seed: string, place: number): number {
  let hash = 0x811c9dc5;
  for (const char of `${seed}:${place}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 31 - 1;
}
