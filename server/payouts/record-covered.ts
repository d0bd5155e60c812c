import { eq, sql } from "#server/platform/sql.ts";
import { readRows, text, units as whole } from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";
import { postPayout } from "./insert-payout.ts";
import { lockPayout } from "./lock-payout.ts";
import { poolPayouts } from "./schema.ts";

/**
 * Records the payouts that waited for nothing but their pool's coins, the oldest day first, as far as the coins go. A correction, and
 * one whose hashrate does not fit, go on waiting for people. Any number of processes may do so at once.
 *
 * @returns how many it recorded, and what went wrong with others
 */
export async function recordCovered(
  db: Db,
  now: Date,
): Promise<{ recorded: number; failures: unknown[] }> {
  const failures: unknown[] = [];
  let recorded = 0;
  const over = new Map<string, bigint>();
  for (const { id, poolId, units, ...pool } of await listWaiting(db)) {
    const left = over.get(poolId) ?? pool.over;
    if (units > left) continue;
    try {
      if (!(await record(db, id, now))) continue;
      over.set(poolId, left - units);
      recorded += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  return { recorded, failures };
}

/** It waits for nobody, who entered it is still on the staff, and the chain is followed. */
const isReady = sql`
  not payout_hashrate_needs_two(who_proposed_payout(p), p.units, p.delivered_ghs, p.day)
  and (p.proposal_action_id is null or exists (select from operators o where o.id = who_proposed_payout(p) and o.state = 'active'))
  and exists (select from chain_sources where chain = 'bitcoin' and health = 'following')`;

/** What waits for its pool's coins, and how many satoshis of them are over. */
function listWaiting(db: Db) {
  return readRows(
    db,
    sql`with pools as materialized (
          select pool_id, 1 - payout_lacks(pool_id, 1) as over
            from (select distinct pool_id from pool_payouts where state = 'proposed') waiting)
        select p.id, p.pool_id, p.units, pools.over from pools
          join pool_payouts p on p.pool_id = pools.pool_id and p.state = 'proposed'
         where p.corrects is null and p.units between 1 and pools.over and ${isReady}
         order by p.day, p.id limit 500`,
    { id: text, poolId: text, units: whole, over: whole },
  );
}

async function record(db: Db, payoutId: string, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const payout = await lockPayout(tx, payoutId);
    // A colleague may have decided it, and those before may have taken the coins.
    const due = sql`
      select p.id from pool_payouts p where p.id = ${payoutId} and p.state = 'proposed' and coins_cover(p.pool_id, p.units)
         and ${isReady}`;
    if ((await readRows(tx, due, { id: text })).length === 0) return false;
    const transferId = await postPayout(tx, { ...payout, payoutId }, now);
    await tx
      .update(poolPayouts)
      .set({ state: "recorded", decidedAt: now, transferId })
      .where(eq(poolPayouts.id, payoutId));
    return true;
  });
}
