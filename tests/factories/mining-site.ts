import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { getBalances } from "#server/ledger/get-balances.ts";
import { postMiningDay } from "#server/mining/days/post-mining-day.ts";
import type { Db } from "#server/platform/database.ts";
import { createTestCustomer } from "./customer.ts";
import {
  createTestContract,
  createTestFleet,
  createTestPlan,
  createTestPool,
  createTestPriceOfDay,
  dayAfter,
  recordTestPayout,
  type WantedPlan,
} from "./mining.ts";

/** Two o'clock in the night after a day: its pools have paid. */
export const nightAfter = (day: string) => new Date(`${dayAfter(day, 1)}T02:00:00Z`);

/** A site that mines: a fleet, a plan, a pool, and days that are posted one after the other. */
export async function createMiningSite(
  db: Db,
  { firstDay, ...plan }: { firstDay: string } & Partial<WantedPlan>,
) {
  const bought = new Date(`${dayAfter(firstDay, -1)}T10:00:00Z`);
  await createTestFleet(db, { ghs: 1_000_000n, from: dayAfter(firstDay, -10) });
  const { versionId } = await createTestPlan(db, { now: bought, ...plan });
  const poolId = await createTestPool(db, { from: firstDay });
  const payouts = new Map<string, string>();
  return {
    poolId,
    versionId,
    payouts,
    /** A customer with a contract that starts on the first day, and no other coins. */
    async customer(wanted: Partial<Parameters<typeof createTestContract>[1]> = {}) {
      const { id } = await createTestCustomer(db, { email: `${randomUUID()}@example.com` });
      const contract = await createTestContract(db, {
        customerId: id,
        versionId,
        now: bought,
        ...wanted,
      });
      return { id, ...contract, balance: async () => (await getBalances(db, id)).BTC.available };
    },
    /** Another contract for a customer. */
    again(customerId: string, wanted: Partial<Parameters<typeof createTestContract>[1]> = {}) {
      return createTestContract(db, { customerId, versionId, now: bought, ...wanted });
    },
    /** Evidence for a day. */
    async pay(day: string, units: bigint, deliveredGhs: bigint) {
      await createTestPriceOfDay(db, day);
      payouts.set(day, await recordTestPayout(db, { poolId, day, units, deliveredGhs }));
    },
    async run(day: string, units: bigint, deliveredGhs: bigint, now = nightAfter(day)) {
      await this.pay(day, units, deliveredGhs);
      return postMiningDay(db, day, now);
    },
  };
}

/** Units on a house account. */
export async function houseUnits(owner: Pool, account: string, asset = "BTC"): Promise<bigint> {
  const { rows } = await owner.query(
    "select coalesce(sum(units), 0) as units from ledger_entries where account = $1 and asset = $2",
    [account, asset],
  );
  return BigInt(rows[0].units);
}
