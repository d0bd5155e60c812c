import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatPrice,
  isPricedAsset,
  parseUsd,
  toUsd,
  unitsForUsdCents,
  valueInUsdCents,
} from "./price.ts";

test.each([
  ["91234.5", 9_123_450_000_000n],
  ["0.16012", 16_012_000n],
  ["1", 100_000_000n],
  ["0.123456789", 12_345_678n],
  ["0.00000001", 1n],
  ["999999999999.99999999", 99_999_999_999_999_999_999n],
])("reads %s exactly", (text, usdE8) => {
  expect(parseUsd(text)).toBe(usdE8);
});

test.each([
  ...["", "0", "0.0", "0.000000001", "-1", "+1", "1e5", "1,000", " 1", "1 ", "1.", ".5", "$1"],
  ...["NaN", "Infinity", "null", "0x10", "1000000000000", "1".repeat(40), "١"],
])("reads '%s' as no price", (text) => {
  expect(parseUsd(text)).toBeNull();
});

test("writes what it reads", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n - 1n }), (usdE8) => {
      expect(parseUsd(toUsd(usdE8))).toBe(usdE8);
    }),
  );
});

test.each([
  ["91234.5", "$91,234.50"],
  ["10", "$10.00"],
  ["9.87654321", "$9.877"],
  ["1", "$1.000"],
  ["0.9998", "$0.9998"],
  ["0.16012", "$0.1601"],
  ["0.0000123456", "$0.00001234"],
])("shows %s as %s", (text, shown) => {
  expect(formatPrice(parseUsd(text) ?? 0n)).toBe(shown);
});

test.each([
  [1_250_000n, "BTC", "91234.5", 114_043n],
  [100_000_000n, "BTC", "91234.567", 9_123_457n],
  [1_000_000_000_000_000_000n, "ETH", "3123.45", 312_345n],
  [499_250_000n, "USDT", "0.9998", 49_915n],
  [1n, "BTC", "91234.5", 0n],
  [5n, "BTC", "100000", 1n],
  [4n, "BTC", "100000", 0n],
] as const)("%i units of %s at %s are %i cents", (units, coin, usd, cents) => {
  expect(valueInUsdCents(units, coin, parseUsd(usd) ?? 0n)).toBe(cents);
});

test("a value is never more than half a cent away from the exact one", () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 17n });
  const price = fc.bigInt({ min: 1n, max: 10n ** 15n });
  fc.assert(
    fc.property(units, price, (some, usdE8) => {
      // In 10^-14 cents: eight places of the coin and eight of the price, less two of the cent.
      const exact = some * usdE8;
      const rounded = valueInUsdCents(some, "BTC", usdE8) * 10n ** 14n;
      const distance = exact > rounded ? exact - rounded : rounded - exact;
      expect(distance <= 5n * 10n ** 13n).toBe(true);
    }),
  );
});

test("knows what prices are kept of", () => {
  expect(isPricedAsset("DOGE")).toBe(true);
  expect(isPricedAsset("USD")).toBe(false);
});

test.each([
  [9_123_450n, "BTC", 9_123_450_000_000n, 100_000_000n],
  [1n, "BTC", 9_123_450_000_000n, 11n],
  [-9_123_450n, "BTC", 9_123_450_000_000n, -100_000_000n],
  [100n, "ETH", 300_000_000_000n, 333_330_000_000_000n],
  [0n, "ETH", 300_000_000_000n, 0n],
] as const)(
  "%s cents are to eight places of %s at %s what it says",
  (cents, coin, usdE8, units) => {
    expect(unitsForUsdCents(cents, coin, usdE8)).toBe(units);
  },
);
