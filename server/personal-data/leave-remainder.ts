import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { utcDay } from "#core/utc-day.ts";
import { lockCustomer } from "../identity/lock-customer.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { getBalances } from "../ledger/queries.ts";
import type { Db } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { leaveUnlessOwed } from "./ask-closing.ts";
import { isTooLittleToSend } from "./closing.ts";
import { findOpenClosing } from "./queries.ts";
import { leftRemainders } from "./schema.ts";

/**
 * Leaves to the operator what bitcoin a customer has who waits to leave, where it is too little to be sent on the chain, and
 * closes the account if nothing else is owed. The journal says so by a kind of its own. Doing it twice is doing it once.
 *
 * @throws Refusal `personal-data/not-leaving` and `personal-data/not-too-little`
 */
export async function leaveRemainder(
  db: Db,
  { customerId, site, now }: { customerId: string; site: Site; now: Date },
): Promise<{ hasLeft: boolean }> {
  return db.transaction(async (tx) => {
    await lockCustomer(tx, customerId);
    const closing = await findOpenClosing(tx, customerId);
    if (!closing) throw new Refusal("personal-data/not-leaving");
    if (closing.state === "leaving") return { hasLeft: true };
    const { BTC } = await getBalances(tx, customerId);
    if (BTC.available > 0n || BTC.held > 0n) {
      if (!isTooLittleToSend(BTC)) throw new Refusal("personal-data/not-too-little");
      const id = randomUUIDv7();
      const units = BTC.available;
      const { transferId } = await postTransfer(tx, {
        ...{ kind: "remainder-left", key: `remainder-left:${id}`, ownerId: customerId },
        ...{ day: utcDay(now), occurredAt: now, source: `closing:${closing.id}` },
        memo: "Too little to be sent on the chain, left to the operator by its owner",
        legs: [
          { account: "available", asset: "BTC", owner: customerId, units: -units },
          { account: "operator_equity", asset: "BTC", owner: "house", units },
        ],
      });
      const left = { asset: "BTC" as const, units, leftAt: now, transferId };
      await tx.insert(leftRemainders).values({ id, customerId, closingId: closing.id, ...left });
    }
    return leaveUnlessOwed(tx, { closingId: closing.id, customerId, site, now });
  });
}
