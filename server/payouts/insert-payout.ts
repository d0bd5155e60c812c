import { randomUUIDv7 } from "node:crypto";
import { formatAmount } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { sql } from "#server/platform/sql.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { flag, getRow } from "../platform/database/read-rows.ts";
import type { Tx } from "../platform/database.ts";
import { getPayoutLimit } from "./get-payout-limit.ts";
import type { DayOfPool } from "./payout.ts";
import { poolPayouts } from "./schema.ts";

export interface NewPayout extends DayOfPool {
  /** Made with the form that it comes from, where there is one. */
  payoutId?: string;
  poolId: string;
  statementId: string | null;
  /** The staff act; null: the worker read it from the pool. */
  actionId: string | null;
  /** The operator of that act. */
  by?: string | null;
}

/**
 * Writes down what a pool paid for a day: recorded at once, with its transfer (`custody` to `pool_receivable`), or waiting
 * for the pool's coins or a second person (`mustWait`).
 */
export async function insertPayout(
  tx: Tx,
  { payoutId = randomUUIDv7(), actionId, by = null, ...payout }: NewPayout,
  now: Date,
): Promise<{ payoutId: string; state: "recorded" | "proposed" }> {
  if (payout.day >= utcDay(now)) throw new Refusal("payouts/day-not-over");
  const waits = await mustWait(tx, { ...payout, by });
  const state = waits ? ("proposed" as const) : ("recorded" as const);
  const transferId = waits ? null : await postPayout(tx, { ...payout, payoutId }, now);
  await tx.insert(poolPayouts).values({
    id: payoutId,
    ...payout,
    state,
    proposedAt: now,
    proposalActionId: actionId,
    decidedAt: waits ? null : now,
    decisionActionId: waits ? null : actionId,
    transferId,
  });
  return { payoutId, state };
}

/**
 * Whether the pool's coins do not cover an amount (yet), or, where none are asked for, whether it is above the limit, its transaction
 * pays for another day as well and no statement says how much of it, it paid a customer's address, or one person would record more
 * alone within a day than one person may where another could look. Or else its hashrate does not fit what was paid. PostgreSQL asks
 * itself the same again.
 */
export async function mustWait(
  tx: Tx,
  { units, deliveredGhs, poolId, day, txid, statementId, by = null }: Omit<NewPayout, "actionId">,
): Promise<boolean> {
  // Whoever records what this pool's coins cover waits here, so that what is read now still holds then.
  await tx.execute(sql`select lock_fact(${`payouts.coins:${poolId}`})`);
  const { needed } = await getRow(
    tx,
    sql`select payout_hashrate_needs_two(${by}::uuid, ${units}, ${deliveredGhs}, ${day}::date)
            or coalesce(not coins_cover(${poolId}, ${units}),
                 ${units}::numeric > ${await getPayoutLimit(tx)}
                 or payout_shares_its_transaction(${poolId}, ${day}::date, ${txid}, ${statementId})
                 or coalesce(${units}::numeric > payout_left_for_one(${by}::uuid), false)
                 or ${units}::numeric > 0 and pays_a_customer(${txid})) as needed`,
    { needed: flag },
  );
  return needed;
}

/** Posts a payout's transfer; null for a day on which nothing was paid, which moves nothing. */
export async function postPayout(
  tx: Tx,
  payout: Pick<NewPayout, "day" | "units" | "txid"> & { payoutId: string },
  now: Date,
): Promise<string | null> {
  const { payoutId, day, units, txid } = payout;
  if (units === 0n) return null;
  const { transferId } = await postTransfer(tx, {
    kind: "pool-payout",
    key: `pool-payout:${payoutId}`,
    ownerId: "house",
    day: utcDay(now),
    occurredAt: now,
    source: `payout:${payoutId}`,
    memo: `${formatAmount(units, "BTC")} BTC for ${day}${txid ? `, transaction ${txid}` : ""}`,
    legs: [
      { account: "custody", asset: "BTC", owner: "house", units: -units },
      { account: "pool_receivable", asset: "BTC", owner: "house", units },
    ],
  });
  return transferId;
}
