import { expect, test } from "vitest";
import { deriveEarnings, profitCents } from "./earnings.ts";

test("who has mined nothing has a profit of 0", () => {
  expect(profitCents(0n)).toBe(0n);
  expect(deriveEarnings([])).toEqual([
    { asset: "BTC", mined: 0n, fees: 0n, contracts: 0n, net: 0n },
  ]);
});

test("a profit is shown to the nearest cent, a loss as much as a gain", () => {
  expect([4_999n, 5_000n, 15_000n, -4_999n, -5_000n].map(profitCents)).toEqual([
    ...[0n, 1n, 2n, 0n, -1n],
  ]);
});

test("what was taken back of credits, and given back of contracts, is in the line", () => {
  const totals = [
    { kind: "mining-credit", asset: "BTC", units: 1_000n, entries: 1 },
    { kind: "mining-correction", asset: "BTC", units: -100n, entries: 1 },
    { kind: "contract-purchase", asset: "BTC", units: -5_000n, entries: 1 },
    { kind: "contract-refund", asset: "BTC", units: 2_000n, entries: 1 },
  ] as const;
  expect(deriveEarnings(totals)).toEqual([
    { asset: "BTC", mined: 900n, fees: 0n, contracts: 3_000n, net: -2_100n },
  ]);
});

test("a loss is a net below zero, coin by coin", () => {
  const totals = [
    { kind: "mining-credit", asset: "BTC", units: 4_191n, entries: 1 },
    { kind: "maintenance-fee", asset: "BTC", units: -4_500n, entries: 1 },
    { kind: "inactivity-fee", asset: "BTC", units: -10n, entries: 1 },
    { kind: "contract-purchase", asset: "USDT", units: -5_000_000n, entries: 1 },
  ] as const;
  expect(deriveEarnings(totals)).toEqual([
    { asset: "BTC", mined: 4_191n, fees: 4_510n, contracts: 0n, net: -319n },
    { asset: "USDT", mined: 0n, fees: 0n, contracts: 5_000_000n, net: -5_000_000n },
  ]);
});
