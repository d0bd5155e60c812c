import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ProjectedPurchase,
  projectPlan,
  projectScenarios,
  scenarios,
} from "./project-plan.ts";

/** 100 TH/s for 30 days. */
const purchase: ProjectedPurchase = {
  ghs: 100_000n,
  termDays: 30,
  priceUsdCents: 10_000n,
  maintenanceUsdMicros: 30_000n,
  maintenanceChanges: [],
};
/** 4,191 satoshi a day for 100 TH/s at $100,000: $4.19. */
const start = {
  btcUsdE8: 10_000_000_000_000n,
  difficulty: 150_000_000_000_000n,
  height: 900_000,
  feesPerBlockSats: 0n,
};
const still = { difficultyGrowthPpm: 0n, priceChangePpm: 0n, uptimePpm: 1_000_000n };

test("nothing changes: what the network pays each day, less the fee, less the price", () => {
  const projection = projectPlan(purchase, start, still);
  expect(projection).toMatchObject({
    days: 30,
    minedSats: 30n * 4_191n,
    feeSats: 30n * 3_000n,
    minedUsdMicros: 30n * 4_191_000n,
    feeUsdMicros: 30n * 3_000_000n,
    netUsdMicros: 30n * 1_191_000n - 100_000_000n,
    breakEvenDays: null,
    insteadSats: 100_000n,
    endBtcUsdE8: start.btcUsdE8,
  });
  expect(projection.path[0]).toEqual({ day: 0, netUsdMicros: -100_000_000n });
  expect(projection.path.at(-1)).toEqual({ day: 30, netUsdMicros: projection.netUsdMicros });
});

test("a price that is covered is covered on the first day on which it is", () => {
  const cheap = { ...purchase, priceUsdCents: 1_191n };
  expect(projectPlan(cheap, start, still).breakEvenDays).toBe(10);
  expect(projectPlan({ ...cheap, priceUsdCents: 1_192n }, start, still).breakEvenDays).toBe(11);
});

test("downtime is served later, and maintenance is paid meanwhile", () => {
  const half = projectPlan(purchase, start, { ...still, uptimePpm: 500_000n });
  expect(half.days).toBe(60);
  expect(half.minedSats).toBe(60n * 2_095n);
  expect(half.feeSats).toBe(60n * 3_000n);
  // The last day serves only what is left.
  const most = projectPlan(purchase, start, { ...still, uptimePpm: 970_000n });
  expect(most.days).toBe(31);
  expect(most.minedSats).toBeLessThan(30n * 4_191n);
  expect(most.minedSats).toBeGreaterThan(30n * 4_191n - 31n);
});

test("difficulty grows every 14 days, and the price moves in a straight line to its end", () => {
  const growing = projectPlan(purchase, start, { ...still, difficultyGrowthPpm: 1_000_000n });
  // 14 days at once, 14 at twice, 2 at four times the difficulty.
  expect(growing.minedSats).toBe(14n * 4_191n + 14n * 2_095n + 2n * 1_048n);
  const falling = projectPlan(purchase, start, { ...still, priceChangePpm: -500_000n });
  expect(falling.endBtcUsdE8).toBe(start.btcUsdE8 / 2n);
  const mean = falling.minedUsdMicros / 30n;
  expect(mean).toBeGreaterThan(3_140_000n);
  expect(mean).toBeLessThan(3_146_000n);
});

test("a halving within the term halves what a block creates", () => {
  const before = projectPlan(purchase, { ...start, height: 1_050_000 - 144 * 10 }, still);
  expect(before.minedSats).toBe(10n * 4_191n + 20n * 2_095n);
});

test("an announced fee is taken from its day on", () => {
  const changed = { ...purchase, maintenanceChanges: [{ fromDay: 20, usdMicros: 60_000n }] };
  expect(projectPlan(changed, start, still).feeUsdMicros).toBe(20n * 3_000_000n + 10n * 6_000_000n);
});

test("the worst scenario stands first, and at least one of them loses more than if nothing changed", () => {
  const results = projectScenarios(purchase, start);
  expect(results).toHaveLength(scenarios.length);
  const nets = results.map(({ projection }) => projection.netUsdMicros);
  expect(nets).toEqual([...nets].sort((a, b) => (a < b ? -1 : 1)));
  expect(results[0]?.scenario.name).toMatch(/^Hard times/);
});

test("mined less fees less price is the net, on whatever path", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10_000_000n }),
      fc.integer({ min: 1, max: 400 }),
      fc.bigInt({ min: -200_000n, max: 200_000n }),
      fc.bigInt({ min: -1_000_000n, max: 5_000_000n }),
      fc.bigInt({ min: 500_000n, max: 1_000_000n }),
      (ghs, termDays, difficultyGrowthPpm, priceChangePpm, uptimePpm) => {
        const wish = { ...purchase, ghs, termDays };
        const p = projectPlan(wish, start, { difficultyGrowthPpm, priceChangePpm, uptimePpm });
        expect(p.netUsdMicros).toBe(p.minedUsdMicros - p.feeUsdMicros - 100_000_000n);
        expect(p.path.length).toBeLessThanOrEqual(62);
        expect(p.days).toBeGreaterThanOrEqual(termDays);
        if (p.breakEvenDays === null) expect(p.netUsdMicros).toBeLessThan(0n);
      },
    ),
    { numRuns: 50 },
  );
});
