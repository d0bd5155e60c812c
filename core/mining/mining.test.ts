import { expect, test } from "vitest";
import { creditSats, servedPpm, sharedGhs } from "./credit.ts";
import { inactivitySats } from "./inactivity.ts";
import { maintenanceSats, usdMicros } from "./maintenance.ts";
import { referenceSats } from "./reference.ts";

const ths = 1000n;

test("the network pays 100 TH/s 4,191 satoshi a day at a difficulty of 150e12 and 3.125 BTC per block", () => {
  expect(referenceSats(100n * ths, 150_000_000_000_000n, 312_500_000n, 0n)).toBe(4191n);
});

test("a credit is the contract's share of what the pools paid, rounded down", () => {
  expect(creditSats(1_000_000n, 100n * ths, 300n * ths)).toBe(333_333n);
  expect(creditSats(1_000_000n, 100n * ths, 0n)).toBe(0n);
});

test("a payout is shared by what was delivered, and by what was sold when that is more", () => {
  expect(sharedGhs(500n, 300n)).toBe(500n);
  expect(sharedGhs(200n, 300n)).toBe(300n);
});

test("a day is served as far as the sold hashrate was delivered", () => {
  expect(servedPpm(500n, 300n)).toBe(1_000_000n);
  expect(servedPpm(200n, 300n)).toBe(666_666n);
  expect(servedPpm(0n, 0n)).toBe(1_000_000n);
});

test("a maintenance fee in dollars is taken in satoshi at the day's price", () => {
  // 100 TH/s at $0.03 a day are $3: at $100,000 for a bitcoin, 3,000 satoshi.
  expect(maintenanceSats(100n * ths, 30_000n, 100_000n * 100_000_000n)).toBe(3000n);
  expect(usdMicros(3000n, 100_000n * 100_000_000n)).toBe(3_000_000n);
});

test("the inactivity fee has a floor, and never reaches below the minimum withdrawal", () => {
  expect(inactivitySats(100_000_000n)).toBe(13_700n);
  expect(inactivitySats(1_000_000n)).toBe(685n);
  expect(inactivitySats(70_500n)).toBe(500n);
  expect(inactivitySats(70_000n)).toBe(0n);
});
