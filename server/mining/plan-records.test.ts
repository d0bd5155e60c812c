import { expect, test } from "vitest";
import { correctTestPayout, dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite, nightAfter } from "#tests/factories/mining-site.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listPlanRecords } from "./plan-records.ts";
import { postCorrections } from "./post-corrections.ts";

test("what contracts of a plan really returned, corrections included, of every $100 paid", async () => {
  const { db } = await testDatabase();
  const first = "2026-03-01";
  const terms = { termDays: 1, priceUsdCents: 100n, maintenanceUsdMicros: 0n };
  const site = await createMiningSite(db, { firstDay: first, ...terms });
  expect(await listPlanRecords(db)).toEqual([]);
  // A satoshi is a tenth of a cent: a dollar comes back with 1,000 of them.
  for (const [nth, sats] of [500n, 1_000n, 1_500n].entries()) {
    const day = dayAfter(first, nth);
    const now = new Date(`${dayAfter(day, -1)}T10:00:00Z`);
    await site.customer({ now });
    // Bought and running is not ended.
    if (nth === 2) await site.customer({ now: new Date(`${day}T10:00:00Z`) });
    await site.run(day, sats, 1_000n);
  }
  const record = { ended: 3, medianCents: 10_000n, p10Cents: 5_000n, p90Cents: 15_000n, below: 1 };
  expect(await listPlanRecords(db)).toEqual([{ planId: expect.any(String), ...record }]);
  const now = nightAfter(dayAfter(first, 5));
  await correctTestPayout(db, site.payouts.get(first) ?? "", { units: 600n, now });
  await postCorrections(db, now);
  expect(await listPlanRecords(db)).toMatchObject([{ ...record, p10Cents: 6_000n }]);
});
