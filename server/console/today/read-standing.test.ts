import { expect, test } from "vitest";
import { createTestBatch } from "#tests/factories/fleet.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readStanding } from "./read-standing.ts";

const { db } = await testDatabase();

test("machines count from the day on which they are entered, before anything was sold of that day", async () => {
  const now = new Date();
  expect((await readStanding(db, now)).fleet).toEqual({ capacityGhs: 0n, soldGhs: 0n, outages: 0 });
  await createTestBatch(db, await createTestOperator(db), { now });
  expect((await readStanding(db, now)).fleet.capacityGhs).toBeGreaterThan(0n);
});
