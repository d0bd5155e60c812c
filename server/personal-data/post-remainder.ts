import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { utcDay } from "#core/utc-day.ts";
import { eq, max } from "#server/platform/sql.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import type { Tx } from "../platform/database.ts";
import { mayBeLeft } from "./closing.ts";
import { leftRemainders } from "./schema.ts";

interface Remainder {
  customerId: string;
  closingId: string;
  asset: Coin;
  units: bigint;
  /** The most that can be left of the coin: `mostToLeave`. */
  mostUnits: bigint;
  now: Date;
}

/** Posts what a customer leaves of a coin to the operator: all of the balance. */
export async function postRemainder(
  tx: Tx,
  { customerId, closingId, asset, units, mostUnits, now }: Remainder,
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
    ...{ id, customerId, closingId, asset, units, mostUnits, leftAt: now, transferId },
  });
}

/** Posts what arrived of a coin after its remainder was left in the same closing, where it is no more than could be left then. */
export async function postWhatFollows(
  tx: Tx,
  closing: { customerId: string; closingId: string; now: Date },
): Promise<void> {
  const { customerId, closingId } = closing;
  const left = await tx
    .select({ asset: leftRemainders.asset, mostUnits: max(leftRemainders.mostUnits) })
    .from(leftRemainders)
    .where(eq(leftRemainders.closingId, closingId))
    .groupBy(leftRemainders.asset);
  if (left.length === 0) return;
  const balances = await getBalances(tx, customerId);
  for (const { asset, mostUnits } of left) {
    if (mostUnits === null || !mayBeLeft(balances[asset], mostUnits)) continue;
    await postRemainder(tx, { ...closing, asset, units: balances[asset].available, mostUnits });
  }
}
