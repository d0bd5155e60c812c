import { describe, expect, test } from "vitest";
import { addDays } from "../utc-day.ts";
import { deriveRunway, thresholdOf } from "./runway.ts";

const from = "2026-11-24";
/** At $100,000, $0.03 of one TH/s are 30 satoshi. */
const figures = { from, btcUsdE8: 100_000n * 10n ** 8n, mined: null };
const contract = (days: number, wanted: object = {}) => ({
  ghs: 1_000n,
  startsOn: "2026-11-01",
  lastDay: addDays(from, days - 1),
  maintenanceUsdMicros: 30_000n,
  ...wanted,
});

describe("deriveRunway", () => {
  test("counts whole days, from the first that is not settled", () => {
    const contracts = [contract(100)];
    const at = (availableSats: bigint) => deriveRunway({ ...figures, contracts, availableSats });
    expect(at(0n)).toMatchObject({ days: 0, missingSats: 3_000n });
    expect(at(29n)?.days).toBe(0);
    expect(at(60n)?.days).toBe(2);
    expect(at(2_999n)).toMatchObject({ days: 99, missingSats: 1n });
    expect(at(3_000n)).toEqual({ days: null, endsOn: addDays(from, 99), missingSats: 0n });
  });

  test("counts what is mined before what it costs, and never runs out when it is more", () => {
    const contracts = [contract(100)];
    const mined = { sats: 200n, ghs: 10_000n };
    const figuresOf = (availableSats: bigint) => ({ ...figures, contracts, availableSats });
    expect(deriveRunway({ ...figuresOf(60n), mined })?.days).toBe(6);
    const more = { sats: 31n, ghs: 1_000n };
    expect(deriveRunway({ ...figuresOf(0n), mined: more })?.days).toBeNull();
  });

  test("costs less once a contract has ended, and more once one has begun", () => {
    const soonOver = contract(2, { ghs: 9_000n });
    const later = contract(30, { startsOn: addDays(from, 10) });
    const contracts = [contract(30), soonOver, later];
    // Two days of 300, eight of 30, then 60 a day.
    expect(deriveRunway({ ...figures, contracts, availableSats: 600n })?.days).toBe(2);
    expect(deriveRunway({ ...figures, contracts, availableSats: 840n })?.days).toBe(10);
    expect(deriveRunway({ ...figures, contracts, availableSats: 960n })?.days).toBe(12);
    const all = 600n + 240n + 20n * 60n;
    expect(deriveRunway({ ...figures, contracts, availableSats: all })?.days).toBeNull();
  });

  test("says nothing where no contract runs any more", () => {
    const contracts = [contract(0)];
    expect(deriveRunway({ ...figures, contracts, availableSats: 5n })).toBeNull();
    expect(deriveRunway({ ...figures, contracts: [], availableSats: 5n })).toBeNull();
  });
});

test("a threshold is reached with so many days, and none while all are covered", () => {
  const of = (days: number | null) => thresholdOf({ days, endsOn: from, missingSats: 0n });
  expect([0, 3, 4, 7, 8, 14, 15, null].map(of)).toEqual([3, 3, 7, 7, 14, 14, null, null]);
});
