import type { Coin } from "#core/asset.ts";
import { Refusal } from "#core/refusal.ts";
import { lockCustomer } from "../identity/account/lock-customer.ts";
import { getBalances } from "../ledger/get-balances.ts";
import type { Db } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { mayBeLeft, mostToLeave } from "./closing.ts";
import { findOpenClosing } from "./find-closing.ts";
import { leaveUnlessOwed } from "./leave-unless-owed.ts";
import { postRemainder } from "./post-remainder.ts";

/**
 * Leaves to the operator what a customer has of a coin who waits to leave, where it is too little to be sent on the chain or no more than a
 * withdrawal of it costs. Closes the account if nothing else is owed, and takes along then what arrived meanwhile, up to as much in all.
 * The ledger says so by a kind of its own. Doing it twice is doing it once.
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
      const mostUnits = mostToLeave(asset, feeUnits);
      if (!mayBeLeft(balance, mostUnits)) throw new Refusal("personal-data/not-too-little");
      const units = balance.available;
      await postRemainder(tx, { customerId, closingId: closing.id, asset, units, mostUnits, now });
    }
    return leaveUnlessOwed(tx, { closingId: closing.id, customerId, site, now });
  });
}
