import { expect, test } from "vitest";
import { deriveEarnings, deriveProfitCents } from "./earnings.ts";

test("who has mined nothing has a profit of 0", () => {
  expect(deriveProfitCents([])).toBe(0n);
  expect(deriveEarnings([])).toEqual([
    { asset: "BTC", mined: 0n, fees: 0n, contracts: 0n, net: 0n },
  ]);
});

test("buying a contract is no loss yet, and no profit is made up where prices are missing", () => {
  const bought = { kind: "contract-purchase", asset: "BTC", units: -1_000n, entries: 1 } as const;
  const mined = { kind: "mining-credit", asset: "BTC", units: 0n, entries: 2 } as const;
  expect(deriveProfitCents([bought])).toBe(0n);
  expect(deriveProfitCents([bought, mined])).toBe(null);
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
