import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { lockCustomer } from "../identity/account/lock-customer.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { leaveUnlessOwed } from "./ask-closing.ts";
import { mayBeLeft, mostToLeave } from "./closing.ts";
import { findOpenClosing } from "./find-closing.ts";
import { leftRemainders } from "./schema.ts";

/**
 * Leaves to the operator what a customer has of a coin who waits to leave, where it is too little to be sent on the chain or no
 * more than a withdrawal of it costs, and closes the account if nothing else is owed. The journal says so by a kind of its own.
 * Doing it twice is doing it once.
 *
 * @param left.feeUnits what a withdrawal of the coin costs, in its smallest unit
 * @throws Refusal `personal-data/not-leaving` and `personal-data/not-too-little`
 */
export async function leaveRemainder(
  db: Db,
  left: { customerId: string; asset: Coin; feeUnits: bigint; site: Site; now: Date },
): Promise<{ hasLeft: boolean }> {
  const { customerId, asset, feeUnits, site, now } = left;
  return db.transaction(async (tx) => {
    await lockCustomer(tx, customerId);
    const closing = await findOpenClosing(tx, customerId);
    if (!closing) throw new Refusal("personal-data/not-leaving");
    if (closing.state === "leaving") return { hasLeft: true };
    const balance = (await getBalances(tx, customerId))[asset];
    if (balance.available > 0n || balance.held > 0n) {
      if (!mayBeLeft(balance, mostToLeave(asset, feeUnits))) {
        throw new Refusal("personal-data/not-too-little");
      }
      await give(tx, { ...left, closingId: closing.id, units: balance.available });
    }
    return leaveUnlessOwed(tx, { closingId: closing.id, customerId, site, now });
  });
}

async function give(
  tx: Tx,
  wanted: {
    customerId: string;
    closingId: string;
    asset: Coin;
    units: bigint;
    feeUnits: bigint;
    now: Date;
  },
): Promise<void> {
  const { customerId, closingId, asset, units, feeUnits, now } = wanted;
  const id = randomUUIDv7();
  const { transferId } = await postTransfer(tx, {
    ...{ kind: "remainder-left", key: `remainder-left:${id}`, ownerId: customerId },
    ...{ day: utcDay(now), occurredAt: now, source: `closing:${closingId}` },
    memo: `${asset === "BTC" ? "Too little to be sent on the chain" : "No more than a withdrawal costs"}, left to the operator by its owner`,
    legs: [
      { account: "available", asset, owner: customerId, units: -units },
      { account: "operator_equity", asset, owner: "house", units },
    ],
  });
  const withdrawalFeeUnits = asset === "BTC" ? null : mostToLeave(asset, feeUnits);
  await tx.insert(leftRemainders).values({
    ...{ id, customerId, closingId, asset, units, withdrawalFeeUnits, leftAt: now, transferId },
  });
}
