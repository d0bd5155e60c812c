import { desc, sql } from "#server/platform/sql.ts";
import { flag, getRow, orNull, units as whole } from "../platform/database/read-rows.ts";
import type { Db, Tx } from "../platform/database.ts";
import { defaultLimitSats } from "./payout.ts";
import { payoutLimits } from "./schema.ts";

/** The amount above which a payout needs two people. */
export async function getPayoutLimit(db: Db | Tx): Promise<bigint> {
  const [last] = await db
    .select({ sats: payoutLimits.secondPersonAboveSats })
    .from(payoutLimits)
    .orderBy(desc(payoutLimits.number))
    .limit(1);
  return last?.sats ?? defaultLimitSats;
}

/** What this person may still record alone, in satoshis; null while no other person decides: then the limit alone applies. */
export async function findLeftForOne(db: Db | Tx, operatorId: string): Promise<bigint | null> {
  const left = sql`select payout_left_for_one(${operatorId}) as sats`;
  return (await getRow(db, left, { sats: orNull(whole) })).sats;
}

/** Whether what was paid fits the hashrate that it was paid for, by what the network paid on that day. */
export async function fitsHashrate(
  db: Db | Tx,
  { units, deliveredGhs, day }: { units: bigint; deliveredGhs: bigint; day: string },
): Promise<boolean> {
  const fit = sql`select payout_fits_hashrate(${units}, ${deliveredGhs}, ${day}::date) as fits`;
  return (await getRow(db, fit, { fits: flag })).fits;
}
