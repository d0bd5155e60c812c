import { assetNames, formatPrice, type PricedAsset, tapeAssets } from "../price.ts";
import { formatDay, formatMonth } from "../utc-day.ts";

/** One UTC day of an asset, prices in 10^-8 dollars. */
export interface DayFigures {
  /** YYYY-MM-DD. */
  day: string;
  openUsdE8: bigint;
  highUsdE8: bigint;
  lowUsdE8: bigint;
  closeUsdE8: bigint;
}

/** How many days an overview reaches back, by its label. */
export const ranges = { "1M": 30, "3M": 91, "6M": 182, "12M": 365 } as const;
export type Range = keyof typeof ranges;
export const rangeLabels = Object.keys(ranges) as Range[];
export const rangeNames: Record<Range, string> = {
  "1M": "1 month",
  "3M": "3 months",
  "6M": "6 months",
  "12M": "12 months",
};

export interface OverviewChoice {
  asset: PricedAsset;
  range: Range;
}

/** Which coin and range an address asks for: Bitcoin over 12 months unless it says otherwise. */
export function readOverviewChoice(url: string): OverviewChoice {
  const params = new URL(url).searchParams;
  return {
    asset: tapeAssets.find((asset) => asset === params.get("coin")) ?? "BTC",
    range: rangeLabels.find((range) => range === params.get("range")) ?? "12M",
  };
}

/** A stretch of days in figures: the days themselves, or the months that they make. */
export interface Stretch {
  label: string;
  open: string;
  highest: string;
  lowest: string;
  close: string;
  /** Per cent from open to close, two decimals. */
  change: number;
}

export interface OverviewFigures {
  sentence: string;
  months: Stretch[];
  /** The closes as the `d` of an SVG path, 1000 wide and 400 high. */
  path: string;
}

/**
 * What an overview shows of an asset's days, oldest first, that its range reaches: a sentence, the months, newest
 * first, and the line. Null when there are too few days for a line.
 */
export function deriveOverview(
  { asset, range }: OverviewChoice,
  days: DayFigures[],
): OverviewFigures | null {
  const shown = inRange(days, range);
  if (shown.length < 2) return null;
  return { sentence: sentence(asset, shown, range), months: months(shown), path: path(shown) };
}

/** The days that a range reaches, counted back from the last one that there is. */
export function inRange<Day extends Pick<DayFigures, "day">>(days: Day[], range: Range): Day[] {
  const last = days.at(-1);
  if (!last) return [];
  const since = new Date(Date.parse(last.day) - ranges[range] * 86_400_000);
  return days.filter(({ day }) => Date.parse(day) >= since.getTime());
}

function sentence(asset: PricedAsset, days: DayFigures[], range: Range): string {
  const lowest = days.reduce((low, day) => (day.lowUsdE8 < low.lowUsdE8 ? day : low));
  const highest = days.reduce((high, day) => (day.highUsdE8 > high.highUsdE8 ? day : high));
  const whole = stretch("", days);
  const moved =
    whole.change === 0
      ? "unchanged"
      : `${Math.abs(whole.change).toFixed(2)}% ${whole.change < 0 ? "lower" : "higher"}`;
  return (
    `${assetNames[asset]} over ${rangeNames[range]}, to ${formatDay(days.at(-1)?.day ?? "")}: ` +
    `from ${whole.open} to ${whole.close}, ${moved}. ` +
    `Lowest ${whole.lowest} on ${formatDay(lowest.day)}, ` +
    `highest ${whole.highest} on ${formatDay(highest.day)}.`
  );
}

function months(days: DayFigures[]): Stretch[] {
  const byMonth = new Map<string, DayFigures[]>();
  for (const day of days) {
    const month = day.day.slice(0, 7);
    byMonth.set(month, [...(byMonth.get(month) ?? []), day]);
  }
  return [...byMonth].map(([month, own]) => stretch(formatMonth(month), own)).reverse();
}

function stretch(label: string, days: DayFigures[]): Stretch {
  const open = days[0]?.openUsdE8 ?? 0n;
  const close = days.at(-1)?.closeUsdE8 ?? 0n;
  const highest = days.reduce((high, { highUsdE8 }) => (highUsdE8 > high ? highUsdE8 : high), 0n);
  const lowest = days.reduce((low, { lowUsdE8 }) => (lowUsdE8 < low ? lowUsdE8 : low), open);
  return {
    label,
    open: formatPrice(open),
    highest: formatPrice(highest),
    lowest: formatPrice(lowest),
    close: formatPrice(close),
    change: open === 0n ? 0 : Number(((close - open) * 10_000n) / open) / 100,
  };
}

const width = 1000;
const height = 400;
/** More points than this nobody sees. */
const mostPoints = 130;

function path(days: DayFigures[]): string {
  const every = Math.ceil(days.length / mostPoints);
  const closes = days.filter((_, index) => (days.length - 1 - index) % every === 0);
  const values = closes.map(({ closeUsdE8 }) => Number(closeUsdE8));
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    return `${x.toFixed(0)} ${(height - ((value - low) / span) * height).toFixed(0)}`;
  });
  return `M${points.join("L")}`;
}
