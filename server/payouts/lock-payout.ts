import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { poolPayouts } from "./schema.ts";

/** A payout, held until the transaction ends. */
export async function lockPayout(tx: Tx, payoutId: string) {
  const [payout] = await tx
    .select()
    .from(poolPayouts)
    .where(eq(poolPayouts.id, payoutId))
    .for("update");
  if (!payout) throw new Refusal("payouts/no-such-payout");
  return payout;
}
