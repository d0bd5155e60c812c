import { isNear } from "../agree-on-price.ts";
import { medianOf } from "../median.ts";
import type { SourceCandle } from "../sources/source.ts";

/** A UTC day on which exchanges agree, and which they were. */
export interface CombinedCandle extends SourceCandle {
  sources: string[];
}

/**
 * Makes one candle per UTC day of what several exchanges say: of those whose closing price is within 1 % of
 * the median, the median of each figure. A day on which fewer than `needed`, or not more than half, agree is
 * left out.
 */
export function combineCandles(
  given: ReadonlyMap<string, readonly SourceCandle[]>,
  needed: number,
): CombinedCandle[] {
  const byDay = new Map<string, Map<string, SourceCandle>>();
  for (const [source, candles] of given) {
    for (const candle of candles) {
      const day = byDay.get(candle.day) ?? new Map<string, SourceCandle>();
      byDay.set(candle.day, day.set(source, candle));
    }
  }
  return [...byDay.keys()].sort().flatMap((day) => combineDay(day, byDay.get(day), needed) ?? []);
}

function combineDay(
  day: string,
  given: Map<string, SourceCandle> | undefined,
  needed: number,
): CombinedCandle | null {
  const all = [...(given ?? [])];
  if (all.length < needed) return null;
  const middle = medianOf(all.map(([, { closeUsdE8 }]) => closeUsdE8));
  const agreed = all.filter(([, { closeUsdE8 }]) => isNear(closeUsdE8, middle));
  if (agreed.length < needed || agreed.length * 2 <= all.length) return null;
  const median = (figure: keyof Omit<SourceCandle, "day">) =>
    medianOf(agreed.map(([, candle]) => candle[figure]));
  return {
    day,
    openUsdE8: median("openUsdE8"),
    highUsdE8: median("highUsdE8"),
    lowUsdE8: median("lowUsdE8"),
    closeUsdE8: median("closeUsdE8"),
    sources: agreed.map(([source]) => source).sort(),
  };
}
