import { expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { isDatabaseOutage } from "./database-failure.ts";

const { db } = await testDatabase();

test("of two transactions that wait for each other one is worth asking again", async () => {
  const holds = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const work = async (first: 0 | 1, second: 0 | 1) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${first})`);
      holds[first].resolve();
      await holds[second].promise;
      await tx.execute(sql`select pg_advisory_xact_lock(${second})`);
    });
  const ends = await Promise.allSettled([work(0, 1), work(1, 0)]);
  const failed = ends.filter((each) => each.status === "rejected");
  expect(failed).toEqual([{ status: "rejected", reason: expect.toSatisfy(isDatabaseOutage) }]);
});
