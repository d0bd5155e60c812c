import { expect, test } from "vitest";
import { sizesOf } from "./sizes-of.ts";

test.each([
  [1_000n, 1_000, [10, 50, 100]],
  [10_000n, 1_000, [1, 5, 10]],
  [50_000n, 1_000, [1, 2]],
  [1_000n, 60, [10, 50]],
  [3_000n, 1_000, [1, 5, 10]],
  [200_000n, 5, [1, 5]],
  [1_000n, 4, [1]],
])("units of %o GH/s, at most %o of them, are shown as %o", (unitGhs, mostUnits, units) => {
  expect(sizesOf({ unitGhs, mostUnits })).toEqual(units);
});
