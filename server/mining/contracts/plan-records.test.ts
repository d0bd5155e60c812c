import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { correctTestPayout, dayAfter } from "#tests/factories/mining.ts";
import { createMiningSite, nightAfter } from "#tests/factories/mining-site.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { retirePlan } from "../../contracts/plans/retire-plan.ts";
import { postCorrections } from "../days/post-corrections.ts";
import { collectArrears } from "../grace-periods/collect-arrears.ts";
import { verifyMining } from "../verify-mining.ts";
import { listPlanRecords } from "./plan-records.ts";

test("what contracts of a plan really returned, corrections included, of every $100 paid", async () => {
  const { db } = await testDatabase();
  const first = "2026-03-01";
  const terms = { termDays: 1, priceUsdCents: 100n, maintenanceUsdMicros: 0n };
  const site = await createMiningSite(db, { firstDay: first, ...terms });
  expect(await listPlanRecords(db, nightAfter(first))).toEqual([]);
  // A satoshi is a tenth of a cent: a dollar comes back with 1,000 of them.
  for (const [nth, sats] of [500n, 1_000n, 1_500n].entries()) {
    const day = dayAfter(first, nth);
    const now = new Date(`${dayAfter(day, -1)}T10:00:00Z`);
    await site.customer({ now });
    // Bought and running is not ended.
    if (nth === 2) await site.customer({ now: new Date(`${day}T10:00:00Z`) });
    await site.run(day, sats, 1_000n);
  }
  const record = {
    ended: 3,
    below: 1,
    usdCents: 300n,
    belowUsdCents: 100n,
    usdMicros: 3_000_000n,
    medianCents: 10_000n,
    p10Cents: 5_000n,
    p90Cents: 15_000n,
    version: 1,
    retiredAt: null,
    running: 1,
    overdue: 0,
  };
  expect(await listPlanRecords(db, nightAfter(first))).toMatchObject([record]);
  const now = nightAfter(dayAfter(first, 5));
  expect(await listPlanRecords(db, now)).toMatchObject([{ running: 1, overdue: 1 }]);
  await correctTestPayout(db, site.payouts.get(first) ?? "", { units: 600n, now });
  await postCorrections(db, now);
  const corrected = { ...record, p10Cents: 6_000n, usdMicros: 3_100_000n };
  expect(await listPlanRecords(db, nightAfter(first))).toMatchObject([corrected]);
  expect((await verifyMining(db)).filter(({ holds }) => !holds)).toEqual([]);
});

test("a fee that is collected after the end moves the record, and what does not add up is found", async () => {
  const { db, owner } = await testDatabase();
  const first = "2026-03-01";
  const site = await createMiningSite(db, { firstDay: first, termDays: 1, priceUsdCents: 100n });
  const customer = await site.customer();
  // Nothing is mined; the fee of 30 satoshi, three cents, is of a dollar.
  await site.run(first, 0n, 1_000n);
  const ended = { ended: 1, medianCents: 0n, p10Cents: 0n, p90Cents: 0n, below: 1 };
  expect(await listPlanRecords(db, nightAfter(first))).toMatchObject([ended]);
  const now = nightAfter(first);
  await creditTestDeposit(db, customer.id, 100n, { now });
  expect(await collectArrears(db, now)).toEqual({ paid: 1 });
  expect(await listPlanRecords(db, nightAfter(first))).toMatchObject([
    { ...ended, medianCents: -300n, p10Cents: -300n, p90Cents: -300n },
  ]);
  const wrong = async () => (await verifyMining(db)).filter(({ holds }) => !holds);
  expect(await wrong()).toEqual([]);
  // A result or a sum that somebody changed is found.
  await owner.query("update contract_results set usd_micros = usd_micros + 1");
  await owner.query("update sold_hashrate set ghs = ghs + 1, contracts = contracts + 1");
  expect((await wrong()).map(({ claim }) => claim.slice(0, 20))).toEqual([
    "hashrate that is sol",
    "every contract that ",
    "the results that pla",
  ]);
});

test("many small contracts hide no large one, and a plan that is no longer offered keeps its record", async () => {
  const { db } = await testDatabase();
  const first = "2026-03-01";
  const terms = { termDays: 1, priceUsdCents: 100n, maintenanceUsdMicros: 0n };
  const site = await createMiningSite(db, { firstDay: first, ...terms });
  const bought = (day: string) => new Date(`${dayAfter(day, -1)}T10:00:00Z`);
  // Nine of one unit bring two dollars for each; one of ninety-one a tenth of a dollar.
  await site.customer({ now: bought(first), quantity: 91 });
  await site.run(first, 9_100n, 91_000n);
  const second = dayAfter(first, 1);
  for (let nth = 0; nth < 9; nth += 1) await site.customer({ now: bought(second) });
  await site.run(second, 18_000n, 9_000n);
  const { versionId } = site;
  await retirePlan(db, await createTestOperator(db), versionId, nightAfter(second));
  expect(await listPlanRecords(db, nightAfter(first))).toMatchObject([
    {
      planVersionId: versionId,
      retiredAt: expect.any(Date),
      ended: 10,
      below: 1,
      usdCents: 10_000n,
      belowUsdCents: 9_100n,
      usdMicros: 27_100_000n,
      medianCents: 1_000n,
      p10Cents: 1_000n,
      p90Cents: 1_000n,
    },
  ]);
  expect((await verifyMining(db)).filter(({ holds }) => !holds)).toEqual([]);
});
