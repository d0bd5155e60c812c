import { expect, test } from "vitest";
import { outlookOf } from "./plan-outlook.ts";

const start = {
  btcUsdE8: 9_000_000_000_000n,
  difficulty: 150_000_000_000_000n,
  height: 900_000,
  subsidySats: 312_500_000n,
  feesPerBlockSats: 4_000_000n,
};
const terms = { unitGhs: 1_000n, termDays: 30, priceUsdCents: 180n, maintenanceUsdMicros: 25_000n };

test("terms are a loss in every scenario when the price is far above what the network pays", () => {
  const dear = outlookOf({ ...terms, priceUsdCents: 1_000n }, start);
  expect(dear.allLose).toBe(true);
  expect(dear.costPerThsDay).toBe(dear.pricePerThsDay + 25_000n);
  expect(outlookOf({ ...terms, priceUsdCents: 1n }, start).allLose).toBe(false);
});

test("at the price that breaks even nothing is lost while nothing changes, and a dollar above it is", () => {
  const { priceThatBreaksEvenCents: most } = outlookOf(terms, start);
  const flat = (priceUsdCents: bigint) =>
    outlookOf({ ...terms, priceUsdCents }, start).results.find(
      ({ scenario }) => scenario.uptimePpm === 1_000_000n,
    )?.projection.netUsdMicros ?? 0n;
  expect(flat(most)).toBeGreaterThanOrEqual(0n);
  expect(flat(most + 100n)).toBeLessThan(0n);
});

test("no price is low enough where maintenance costs more than the network pays", () => {
  const { priceThatBreaksEvenCents } = outlookOf(
    { ...terms, maintenanceUsdMicros: 90_000n },
    start,
  );
  expect(priceThatBreaksEvenCents).toBeLessThan(0n);
});
