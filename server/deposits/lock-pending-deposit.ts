import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { deposits } from "./schema.ts";

/**
 * Takes a deposit that waits for review, so that one review of it happens at a time.
 *
 * Refuses with deposits/not-found, and with deposits/already-reviewed for whoever came second.
 */
export async function lockPendingDeposit(tx: Tx, depositId: string) {
  if (!isUuid(depositId)) throw new Refusal("deposits/not-found");
  const [deposit] = await tx
    .select({
      customerId: deposits.customerId,
      method: deposits.method,
      claimedUsdCents: deposits.claimedUsdCents,
      state: deposits.state,
    })
    .from(deposits)
    .where(eq(deposits.id, depositId))
    .for("update");
  if (!deposit) throw new Refusal("deposits/not-found");
  const { claimedUsdCents } = deposit;
  // What nobody claimed never waits: a payment made it, and decided it.
  if (deposit.state !== "pending" || claimedUsdCents === null) {
    throw new Refusal("deposits/already-reviewed");
  }
  return { ...deposit, claimedUsdCents };
}
