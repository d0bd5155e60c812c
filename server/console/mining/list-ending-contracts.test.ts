import { expect, test } from "vitest";
import { listContractsWithTotals } from "#server/mining/contracts/list-contracts-with-totals.ts";
import { dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite } from "#tests/factories/mining-site.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { listEndingContracts } from "./list-ending-contracts.ts";

test("customer, staff and what is kept from sale name one last day, on every day, and it is the one that comes", async () => {
  const { db, owner } = await testDatabase();
  const first = "2024-02-26";
  const site = await createMiningSite(db, {
    firstDay: first,
    termDays: 3,
    maintenanceUsdMicros: 0n,
  });
  const bought = (nth: number) => new Date(`${dayAfter(first, nth - 1)}T12:00:00Z`);
  const starts = [0, 1, 2, 4];
  const customers: Awaited<ReturnType<typeof site.customer>>[] = [];
  for (const nth of starts) {
    customers.push(await site.customer({ quantity: 2 ** nth, now: bought(nth) }));
  }
  const foreseen = async () => {
    const all = await Promise.all(customers.map(({ id }) => listContractsWithTotals(db, id)));
    return all.map(([contract]) => contract?.lastDay ?? contract?.projectedLastDay ?? "");
  };
  // Thirds of days, a whole day, and a millionth less than all of one.
  const served = [333_333n, 0n, 666_667n, 999_999n, 1_000_000n, 1n];
  const ends: string[][] = [];
  for (let nth = 0; nth < 12; nth += 1) {
    const day = dayAfter(first, nth);
    const { rows } = await owner.query(
      "select coalesce(sum(ghs), 1) as ghs from contracts where starts_on <= $1 and last_day is null",
      [day],
    );
    await site.run(day, 100n, (BigInt(rows[0].ghs) * (served[nth] ?? 1_000_000n)) / 1_000_000n);
    const seen = await foreseen();
    const listed = await listEndingContracts(db, { until: "2030-01-01", limit: 9 });
    for (const { contractId, lastDay } of listed) {
      const index = customers.findIndex((each) => each.contractId === contractId);
      expect([day, index, lastDay]).toEqual([day, index, seen[index]]);
    }
    const owed = await owner.query(
      "select max(day)::text as day from fleet_days where owed_ghs > 0 and day > $1",
      [day],
    );
    const late = listed.filter((each) => each.lastDay > each.plannedLastDay);
    expect(owed.rows[0].day).toBe(
      late
        .map(({ lastDay }) => lastDay)
        .sort()
        .at(-1) ?? null,
    );
    ends.push(seen);
  }
  expect(await listEndingContracts(db, { until: "2030-01-01", limit: 9 })).toEqual([]);
  // The last loss is on the sixth day: what was foreseen from then on is what came.
  for (const seen of ends.slice(5)) expect(seen).toEqual(ends.at(-1));
});
