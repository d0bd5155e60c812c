import { expect, test } from "vitest";
import { deriveEarnings, profitCents } from "./earnings.ts";

test("who has mined nothing has a profit of 0", () => {
  expect(profitCents(0n)).toBe(0n);
  expect(deriveEarnings({ minedSats: 0n, feesSats: 0n, paidUnits: {} })).toEqual([
    { asset: "BTC", mined: 0n, fees: 0n, contracts: 0n, net: 0n },
  ]);
});

test("a profit is shown to the nearest cent, a loss as much as a gain", () => {
  expect([4_999n, 5_000n, 15_000n, -4_999n, -5_000n].map(profitCents)).toEqual([
    ...[0n, 1n, 2n, 0n, -1n],
  ]);
});

test("a loss is a net below zero, coin by coin", () => {
  const paidUnits = { USDT: 5_000_000n };
  expect(deriveEarnings({ minedSats: 4_191n, feesSats: 4_510n, paidUnits })).toEqual([
    { asset: "BTC", mined: 4_191n, fees: 4_510n, contracts: 0n, net: -319n },
    { asset: "USDT", mined: 0n, fees: 0n, contracts: 5_000_000n, net: -5_000_000n },
  ]);
});
