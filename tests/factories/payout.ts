import { randomBytes, randomUUID } from "node:crypto";
import type { PoolFormat } from "#core/mining/pool-formats.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { addPool } from "#server/payouts/add-pool.ts";
import { enterPayout } from "#server/payouts/enter-payout.ts";
import type { Db } from "#server/platform/database.ts";

let count = 0;

/** A pool that counts from a day on. */
export async function createTestPool(
  db: Db,
  operator: ActingOperator,
  wanted: { name?: string; format?: PoolFormat; countsFrom?: string; now?: Date } = {},
): Promise<string> {
  count += 1;
  const { name = `Pool ${count}`, format = "other", countsFrom = "2026-01-01" } = wanted;
  const now = wanted.now ?? new Date();
  return (await addPool(db, operator, { name, format, countsFrom }, now)).poolId;
}

/** What a pool paid for a day, entered by hand; recorded at once below the limit. */
export async function createTestPayout(
  db: Db,
  operator: ActingOperator,
  wanted: {
    poolId: string;
    day: string;
    units?: bigint;
    deliveredGhs?: bigint;
    txid?: string;
    now?: Date;
  },
): Promise<string> {
  const payoutId = randomUUID();
  const { units = 1_000_000n, deliveredGhs = 1_000_000n, now = new Date(), ...rest } = wanted;
  const txid = wanted.txid ?? randomBytes(32).toString("hex");
  await enterPayout(db, operator, { payoutId, units, deliveredGhs, ...rest, txid }, now);
  return payoutId;
}
