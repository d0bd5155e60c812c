import { randomUUIDv7 } from "node:crypto";
import { type Coin, coins } from "#core/asset.ts";
import { utcDay } from "#core/utc-day.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
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
    ...{ kind: "remainder-left", key: `remainder-left:${id}`, ownerId: customerId },
    ...{ day: utcDay(now), occurredAt: now, source: `closing:${closingId}` },
    memo: "Not worth sending, left to the operator by its owner",
    legs: [
      { account: "available", asset, owner: customerId, units: -units },
      { account: "operator_equity", asset, owner: "house", units },
    ],
  });
  await tx.insert(leftRemainders).values({
    ...{ id, customerId, closingId, asset, units, mostUnits, follows, leftAt: now, transferId },
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
  const left = await tx
    .select({
      asset: leftRemainders.asset,
      units: sql`sum(${leftRemainders.units})`.mapWith(leftRemainders.units),
      mostUnits: sql`min(${leftRemainders.mostUnits})`.mapWith(leftRemainders.mostUnits),
    })
    .from(leftRemainders)
    .where(eq(leftRemainders.closingId, closingId))
    .groupBy(leftRemainders.asset);
  if (left.length === 0 || (await isElseOwed(tx, customerId))) return false;
  const balances = await getBalances(tx, customerId);
  const arrived = coins.filter((coin) => balances[coin].available > 0n);
  const agreed = arrived.flatMap((coin) => {
    const units = balances[coin].available;
    const before = left.find(({ asset }) => asset === coin);
    return before && before.units + units <= before.mostUnits
      ? [{ asset: coin, units, mostUnits: before.mostUnits }]
      : [];
  });
  if (agreed.length < arrived.length) return false;
  for (const each of agreed) await postRemainder(tx, { ...closing, ...each, follows: true });
  return true;
}
