import { and, desc, eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { PayoutState } from "./payout.ts";
import { poolPayouts } from "./schema.ts";
import { type Payout, selectPayouts } from "./select-payouts.ts";

/** Payouts, the newest day first, in pages by `after`: the id of the last one of the page before. */
export async function listPayouts(
  db: Db | Tx,
  { state, after, limit }: { state?: PayoutState; after?: string | undefined; limit: number },
): Promise<Payout[]> {
  const isOlder = after
    ? sql`(${poolPayouts.day}, ${poolPayouts.proposedAt}, ${poolPayouts.id}) < (select day, proposed_at, id from pool_payouts where id = ${after})`
    : undefined;
  return selectPayouts(db)
    .where(and(state ? eq(poolPayouts.state, state) : undefined, isOlder))
    .orderBy(desc(poolPayouts.day), desc(poolPayouts.proposedAt), desc(poolPayouts.id))
    .limit(limit);
}
