import { expect, test } from "vitest";
import { recomputeReceipt } from "#core/mining/recompute-receipt.ts";
import { offerTestPlan } from "#tests/factories/contract.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createMinedDays } from "#tests/factories/mined-days.ts";
import { correctTestPayout, createTestFleet, dayAfter } from "#tests/factories/mining.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { postCorrections } from "../days/post-corrections.ts";
import { findReceipt } from "./find-receipt.ts";
import { findSampleReceipt } from "./find-sample-receipt.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-11-20T12:00:00Z");

test("the public receipt is worked out from a day's own figures, agrees with customers' receipts, and names none of them", async () => {
  expect(await findSampleReceipt(db)).toBeNull();
  const customer = await createTestCustomer(db);
  await createTestFleet(db, { ghs: 1_000_000n, from: dayAfter("2026-11-20", -60) });
  const { planVersionId } = await offerTestPlan(db, {
    termDays: 90,
    now: new Date("2026-09-01T12:00:00Z"),
  });
  await creditTestDeposit(db, customer.id, 1_000_000n, { now: new Date("2026-09-02T12:00:00Z") });
  const mined = { customerId: customer.id, versionId: planVersionId, quantity: 100, days: 4, now };
  const { contractId, lastDay } = await createMinedDays(db, owner, mined);

  const sample = await findSampleReceipt(db);
  const own = await findReceipt(db, { contractId, day: lastDay });
  expect(sample).toMatchObject({ day: lastDay, ghs: 100_000n, corrections: [] });
  expect(sample?.creditSats).toBe(own?.creditSats);
  expect(sample?.feeSats).toBe(own?.feeSats);
  expect(recomputeReceipt(sample as NonNullable<typeof sample>)).toSatisfy(
    (steps: Array<{ agrees: boolean }>) => steps.length >= 8 && steps.every(({ agrees }) => agrees),
  );
  const words = JSON.stringify(sample, (_name, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
  for (const theirs of [customer.id, contractId, customer.email]) {
    expect(words).not.toContain(theirs);
  }

  // A day that was corrected since is passed over for the one before.
  const { rows } = await owner.query("select id from current_payouts($1)", [lastDay]);
  await correctTestPayout(db, rows[0].id, { units: 1_234n, now });
  await postCorrections(db, now);
  expect((await findSampleReceipt(db))?.day).toBe(dayAfter(lastDay, -1));
});
