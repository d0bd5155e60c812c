import { and, asc, eq, ne } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { poolPayouts } from "./schema.ts";
import { type Payout, selectPayouts } from "./select-payouts.ts";

/**
 * A payout, with the others of its pool and day (what it corrects, what corrects it, what was refused), and with those of
 * other days that its transaction stands for.
 */
export async function findPayout(
  db: Db | Tx,
  payoutId: string,
): Promise<{ payout: Payout; others: Payout[]; ofTransaction: Payout[] } | null> {
  const [payout] = await selectPayouts(db).where(eq(poolPayouts.id, payoutId));
  if (!payout) return null;
  const sameDay = and(eq(poolPayouts.poolId, payout.poolId), eq(poolPayouts.day, payout.day));
  const all = await selectPayouts(db).where(sameDay).orderBy(asc(poolPayouts.proposedAt)).limit(50);
  const ofTransaction =
    payout.txid === null
      ? []
      : await selectPayouts(db)
          .where(and(eq(poolPayouts.txid, payout.txid), ne(poolPayouts.day, payout.day)))
          .orderBy(asc(poolPayouts.day), asc(poolPayouts.proposedAt))
          .limit(50);
  return { payout, others: all.filter(({ id }) => id !== payoutId), ofTransaction };
}
