import fc from "fast-check";
import { expect, test } from "vitest";
import { assets } from "./asset.ts";
import {
  amountInWords,
  floorOf,
  formatAmount,
  formatUsd,
  formatWhole,
  parseAmount,
  toDecimal,
  withMarksOf,
} from "./money.ts";

test.each([
  ["$1,234.50", "USD", 123450n],
  ["1234.5", "USD", 123450n],
  ["  $ 7 ", "USD", 700n],
  ["12,345,678", "USD", 1234567800n],
  ["0.0007", "BTC", 70000n],
  ["0.000000000000000001", "ETH", 1n],
  ["3.", "USD", 300n],
  ["1.005", "USD", null],
  ["-1", "USD", null],
  ["1e5", "USD", null],
  ["1,23", "USD", null],
  ["0x10", "USD", null],
  ["", "USD", null],
  ["٣", "USD", null],
  ["NaN", "BTC", null],
  ["0.000000001", "BTC", null],
] as const)("reads %s %s as %s", (text, asset, units) => {
  expect(parseAmount(text, asset)).toBe(units);
});

test("reads back exactly what it writes, for every asset", () => {
  const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 17n });
  fc.assert(
    fc.property(anyAmount, fc.constantFrom(...assets), (units, asset) => {
      expect(parseAmount(toDecimal(units, asset), asset)).toBe(units);
      expect(parseAmount(formatAmount(units, asset), asset)).toBe(units);
    }),
  );
});

test("formats beyond the precision of floating point", () => {
  expect(formatUsd(9007199254740993123n)).toBe("$90,071,992,547,409,931.23");
  expect(formatUsd(-5n)).toBe("-$0.05");
  expect(formatWhole(1234567n)).toBe("1,234,567");
  expect(formatWhole(1234567n, "de-DE")).toBe("1.234.567");
  expect(formatAmount(70000n, "BTC")).toBe("0.00070000");
  expect(toDecimal(-1n, "ETH")).toBe("-0.000000000000000001");
});

test.each([
  [284_519n * 10n ** 12n, "ETH", "0.28451900 ETH"],
  [1n, "ETH", "0.000000000000000001 ETH"],
  [0n, "ETH", "0.00000000 ETH"],
  [-70_000n, "BTC", "-0.00070000 BTC"],
  [500_000_000n, "USDT", "500.000000 USDT"],
] as const)("says %d units of %s as %s in a letter", (units, asset, words) => {
  expect(amountInWords(units, asset)).toBe(words);
});

test.each([
  [null, "$1,234,567.89", "1,234.50000000"],
  ["de-DE", "1.234.567,89\u00a0$", "1.234,50000000"],
] as const)("writes numbers as in %s, to the last digit", (locale, dollars, coins) => {
  expect(formatUsd(123_456_789n, locale)).toBe(dollars);
  expect(withMarksOf(locale, "1,234.50000000")).toBe(coins);
});

test.each([
  [7n, 2n, 3n],
  [-7n, 2n, -4n],
  [-8n, 2n, -4n],
  [0n, 5n, 0n],
] as const)("rounds %d / %d down to %d", (value, divisor, quotient) => {
  expect(floorOf(value, divisor)).toBe(quotient);
});
