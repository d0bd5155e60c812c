import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { approveTestDeposit, createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { findUsualWaits } from "./find-usual-waits.ts";

const { db } = await testDatabase();
const product = { db, files: testFiles() };
const at = new Date("2026-03-01T00:00:00Z");
const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);

test("few deposits say nothing, and twenty say within which time nine of ten were decided", async () => {
  const { id: customerId } = await createTestCustomer(db);
  const approvedBy = await createTestOperator(db);
  expect(await findUsualWaits(db, undefined, at)).toEqual({
    paymentMinutes: {},
    slipMinutes: null,
  });
  for (let nth = 1; nth <= 20; nth += 1) {
    const deposit = await createTestDeposit(product, { customerId, now: at });
    await approveTestDeposit(db, deposit, { customerId, approvedBy, now: later(nth * 10) });
    if (nth === 19) expect((await findUsualWaits(db, undefined, later(2))).slipMinutes).toBeNull();
  }
  expect((await findUsualWaits(db, undefined, later(4))).slipMinutes).toBe(180);
});
