import { keyset } from "#server/platform/keyset.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { PayoutState } from "./payout.ts";
import { poolPayouts } from "./schema.ts";
import { type Payout, selectPayouts } from "./select-payouts.ts";

const newestFirst = keyset("desc", poolPayouts.day, poolPayouts.proposedAt, poolPayouts.id);

/** Payouts, the newest day first, in pages by `after`: the id of the last one of the page before. */
export async function listPayouts(
  db: Db | Tx,
  { state, after, limit }: { state?: PayoutState; after?: string | undefined; limit: number },
): Promise<Payout[]> {
  return selectPayouts(db)
    .where(and(state ? eq(poolPayouts.state, state) : undefined, newestFirst.beyond(after)))
    .orderBy(...newestFirst.by)
    .limit(limit);
}
