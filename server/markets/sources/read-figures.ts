import { parseUsd } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import type { Figure, SourceCandle } from "./source.ts";

/** Reads a price that came as text or as a JSON number; null when it is none. */
export function readPrice(given: Figure | undefined): bigint | null {
  if (given === undefined) return null;
  // A JSON number was written as a short decimal; this gives its digits back, also where JavaScript writes 1e-7.
  const text = typeof given === "number" ? given.toFixed(10).replace(/0+$/, "0") : given;
  return text.length > 60 ? null : parseUsd(text);
}

/** Makes a day of what a source gave: seconds since 1970 and four prices. Null when that is no possible day. */
export function readCandle(given: {
  seconds: Figure | undefined;
  open: Figure | undefined;
  high: Figure | undefined;
  low: Figure | undefined;
  close: Figure | undefined;
}): SourceCandle | null {
  const ms = Number(given.seconds) * 1000;
  if (!Number.isSafeInteger(ms) || ms <= 0 || ms % 86_400_000 !== 0) return null;
  const openUsdE8 = readPrice(given.open);
  const highUsdE8 = readPrice(given.high);
  const lowUsdE8 = readPrice(given.low);
  const closeUsdE8 = readPrice(given.close);
  if (openUsdE8 === null || highUsdE8 === null || lowUsdE8 === null || closeUsdE8 === null) {
    return null;
  }
  const candle = { day: utcDay(new Date(ms)), openUsdE8, highUsdE8, lowUsdE8, closeUsdE8 };
  return isPossible(candle) ? candle : null;
}

function isPossible({ openUsdE8, highUsdE8, lowUsdE8, closeUsdE8 }: SourceCandle): boolean {
  return [openUsdE8, closeUsdE8].every((price) => lowUsdE8 <= price && price <= highUsdE8);
}

/** Leaves out what could not be read. */
export function onlyRead<T>(candles: ReadonlyArray<T | null>): T[] {
  return candles.filter((candle) => candle !== null);
}

/** The seconds since 1970 at which a UTC day begins. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
