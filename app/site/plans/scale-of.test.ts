import { expect, test } from "vitest";
import { scaleOf } from "./scale-of.ts";

const percent = { min: -5, max: 10, step: 0.5 };

test.each([
  ["2", { ...percent, defaultValue: 2 }],
  ["0.5", { ...percent, defaultValue: 0.5 }],
  ["1.25", { ...percent, step: 0.01, defaultValue: 1.25 }],
  ["15", { ...percent, max: 15, defaultValue: 15 }],
  ["-12", { ...percent, min: -12, defaultValue: -12 }],
  ["nothing", { ...percent, defaultValue: 0 }],
])("%o stands on its scale", (typed, scale) => {
  expect(scaleOf(typed, percent)).toEqual(scale);
});
