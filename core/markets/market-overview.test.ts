import { expect, test } from "vitest";
import { type DayFigures, deriveOverview, inRange, readOverviewChoice } from "./market-overview.ts";

const year = { asset: "BTC", range: "12M" } as const;
const e8 = 100_000_000n;

/** Days from 1 January 2026 on, that open at the first figure and close at the last. */
function days(
  ...figures: [open: number, high: number, low: number, close: number][]
): DayFigures[] {
  return figures.map(([open, high, low, close], index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    openUsdE8: BigInt(open) * e8,
    highUsdE8: BigInt(high) * e8,
    lowUsdE8: BigInt(low) * e8,
    closeUsdE8: BigInt(close) * e8,
  }));
}

const flat = (count: number) =>
  days(...Array.from({ length: count }, (): [number, number, number, number] => [50, 60, 40, 50]));

test("says in a sentence where a price came from, went to, and its extremes", () => {
  const three = days([100, 130, 90, 120], [120, 125, 80, 85], [85, 95, 82, 90]);
  expect(deriveOverview(year, three)?.sentence).toBe(
    "Bitcoin over 12 months, to 3 Jan 2026: from $100.00 to $90.00, 10.00% lower. " +
      "Lowest $80.00 on 2 Jan 2026, highest $130.00 on 1 Jan 2026.",
  );
});

test("gathers months, the newest first", () => {
  const months = deriveOverview(year, flat(40))?.months ?? [];
  expect(months.map(({ label }) => label)).toEqual(["Feb 2026", "Jan 2026"]);
  expect(months[0]).toMatchObject({
    open: "$50.00",
    highest: "$60.00",
    lowest: "$40.00",
    change: 0,
  });
});

test("reaches back as far as its range, from the last day that there is", () => {
  expect(inRange(flat(100), "1M")).toHaveLength(31);
  expect(inRange(flat(100), "3M")).toHaveLength(92);
  expect(inRange(flat(100), "12M")).toHaveLength(100);
  expect(inRange([], "12M")).toEqual([]);
});

test("draws no line through fewer than two days, and a level one where nothing moved", () => {
  expect(deriveOverview(year, flat(1))).toBeNull();
  expect(deriveOverview(year, [])).toBeNull();
  expect(deriveOverview(year, flat(3))?.path).toBe("M0 400L500 400L1000 400");
});

test("a line of a year has points that one can tell apart, the last day among them", () => {
  const long = days(
    ...Array.from({ length: 366 }, (_, at): [number, number, number, number] => [
      at + 1,
      at + 2,
      at,
      at + 1,
    ]),
  );
  const path = deriveOverview(year, long)?.path ?? "";
  expect(path.split("L").length).toBeLessThan(140);
  expect(path.endsWith("1000 0")).toBe(true);
});

test("an address may ask for another coin and range, and for nothing else", () => {
  const read = (query: string) => readOverviewChoice(`http://here.invalid/prices${query}`);
  expect(read("")).toEqual(year);
  expect(read("?coin=ETH&range=3M")).toEqual({ asset: "ETH", range: "3M" });
  expect(read("?coin=USD&range=9Y")).toEqual(year);
});
