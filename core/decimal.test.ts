import { expect, test } from "vitest";
import { hasOddComma, parseDecimal, writeDecimal } from "./decimal.ts";

test.each([
  ["1,234.5", 2, 123_450n],
  ["0.062", 6, 62_000n],
  [" 104 ", 3, 104_000n],
  ["104.5001", 3, null],
  ["1,234,567.25", 2, 123_456_725n],
  ["0,001", 8, null],
  ["0,500", 8, null],
  ["1,23", 2, null],
  ["12,34,567", 2, null],
  ["1234,567", 2, null],
  ["1.234,5", 2, null],
  ["1.5,000", 8, null],
  ["-1", 2, null],
  ["1e3", 2, null],
  ["", 2, null],
])("reads %j with %i places", (text, places, value) => {
  expect(parseDecimal(text, places)).toBe(value);
});

test.each([
  ["0,001", true],
  ["$ 1.250,50", true],
  ["0,5 %", true],
  ["12,34", true],
  ["1,234.5", false],
  ["0.5", false],
  ["one, two", false],
  [",", false],
])("says whether %j has a comma that separates no thousands", (text, odd) => {
  expect(hasOddComma(text)).toBe(odd);
});

test.each([
  [123_450n, 2, "1234.5"],
  [104_000n, 3, "104"],
  [-5n, 2, "-0.05"],
  [0n, 6, "0"],
])("writes %s with %i places", (value, places, text) => {
  expect(writeDecimal(value, places)).toBe(text);
});
