import type { Direction } from "./list-params.ts";

export type SortValue = string | number | bigint | Date | null;

/** Rows in the order of a column; equal ones keep theirs, and what has no value comes last whichever way. */
export function sortRows<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortValue,
  direction: Direction | null,
): Row[] {
  const sign = direction === "desc" ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [by(a), by(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compare(left, right);
  });
}

const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compare(a: NonNullable<SortValue>, b: NonNullable<SortValue>): number {
  if (typeof a === "string" && typeof b === "string") return words.compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
