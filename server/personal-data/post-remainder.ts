import { randomUUIDv7 } from "node:crypto";
import { type Coin, coins } from "#core/asset.ts";
import { utcDay } from "#core/utc-day.ts";
import { sql } from "#server/platform/sql.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { oneOf, readRows, units } from "../platform/database/read-rows.ts";
import type { Tx } from "../platform/database.ts";
import { isElseOwed } from "./is-owed.ts";
import { leftRemainders } from "./schema.ts";

interface Remainder {
  customerId: string;
  closingId: string;
  asset: Coin;
  units: bigint;
  /** The most that can be left of the coin: `mostToLeave`. */
  mostUnits: bigint;
  follows?: boolean;
  now: Date;
}

/** Posts what a customer leaves of a coin to the operator: all of the balance. */
export async function postRemainder(
  tx: Tx,
  { customerId, closingId, asset, units, mostUnits, follows = false, now }: Remainder,
): Promise<void> {
  const id = randomUUIDv7();
  const { transferId } = await postTransfer(tx, {
    kind: "remainder-left",
    key: `remainder-left:${id}`,
    ownerId: customerId,
    day: utcDay(now),
    occurredAt: now,
    source: `closing:${closingId}`,
    memo: "Not worth sending, left to the operator by its owner",
    legs: [
      { account: "available", asset, owner: customerId, units: -units },
      { account: "operator_equity", asset, owner: "house", units },
    ],
  });
  await tx.insert(leftRemainders).values({
    id,
    customerId,
    closingId,
    asset,
    units,
    mostUnits,
    follows,
    leftAt: now,
    transferId,
  });
}

/**
 * Posts what arrived after remainders were left in the same closing, if nothing else is owed and it is, with what was left before, no more
 * than its owner agreed to in each coin. The caller closes the account with it.
 *
 * @returns whether nothing is owed any more
 */
export async function postWhatFollows(
  tx: Tx,
  closing: { customerId: string; closingId: string; now: Date },
): Promise<boolean> {
  const { customerId, closingId } = closing;
  const left = sql`
    select asset, may_still_follow(closing_id, asset) as units, max(most_units) as most_units from left_remainders
     where closing_id = ${closingId}::uuid group by closing_id, asset`;
  const agreed = await readRows(tx, left, { asset: oneOf(coins), units, mostUnits: units });
  if (agreed.length === 0 || (await isElseOwed(tx, customerId))) return false;
  const balances = await getBalances(tx, customerId);
  const arrived = coins.filter((coin) => balances[coin].available > 0n);
  const following = arrived.flatMap((asset) => {
    const { available } = balances[asset];
    const most = agreed.find((each) => each.asset === asset);
    return most && available <= most.units
      ? [{ asset, units: available, mostUnits: most.mostUnits }]
      : [];
  });
  if (following.length < arrived.length) return false;
  for (const each of following) await postRemainder(tx, { ...closing, ...each, follows: true });
  return true;
}
