import type pg from "pg";
import { addDays, utcDay } from "#core/utc-day.ts";
import { postMiningDay } from "#server/mining/days/post-mining-day.ts";
import type { Db } from "#server/platform/database.ts";
import {
  createTestContract,
  createTestPool,
  createTestPriceOfDay,
  readTestNetwork,
  recordTestPayout,
} from "./mining.ts";

/**
 * A contract that was bought some days ago, and every day of it worked out but the newest, which waits for its payout.
 * On the third day half of the machines stood still. The fee is what the test's plan says: more than a credit, and a clock runs.
 */
export async function createMinedDays(
  db: Db,
  owner: Pick<pg.Pool, "query">,
  wanted: { customerId: string; versionId: string; quantity: number; days: number; now: Date },
): Promise<{ contractId: string; lastDay: string }> {
  const { customerId, versionId, quantity, days, now } = wanted;
  const firstDay = addDays(utcDay(now), -days - 1);
  const boughtAt = new Date(`${addDays(firstDay, -1)}T12:00:00Z`);
  const sold = { customerId, versionId, quantity, now: boughtAt };
  const { contractId } = await createTestContract(db, sold);
  const poolId = await createTestPool(db, { from: firstDay });
  const ghs = 1_000n * BigInt(quantity);
  for (let index = 0; index < days; index += 1) {
    const day = addDays(firstDay, index);
    const deliveredGhs = index === 2 ? ghs / 2n : ghs + 5_000n;
    // About what the network pays, by some parts more or less.
    const units = (deliveredGhs * BigInt(40 + (index % 5))) / 1_000n;
    await recordTestPayout(db, { poolId, day, units, deliveredGhs });
    await createTestPriceOfDay(db, day);
    await readTestNetwork(owner, day);
    await postMiningDay(db, day, new Date(`${addDays(day, 1)}T02:00:00Z`));
  }
  return { contractId, lastDay: addDays(firstDay, days - 1) };
}
