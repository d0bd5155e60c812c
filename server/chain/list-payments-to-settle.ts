import type { Coin } from "#core/asset.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, asc, count, eq, lte, type SQL, sql } from "#server/platform/sql.ts";
import type { ConfirmationStep } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { coinbaseMaturity, type Needed } from "./payment.ts";
import { chainPayments, chainPositions } from "./schema.ts";

/** What each coin's payments wait for, as SQL: as `confirmationsNeeded` and `isConfirmed` have it. */
function isConfirmedIn(needed: Record<Coin, ConfirmationStep[]>): SQL {
  const p = chainPayments;
  const depth = sql`${chainPositions.height} - ${p.blockHeight} + 1`;
  const has = (blocks: Needed) =>
    blocks === "finalized"
      ? sql`${p.blockHeight} <= coalesce(${chainPositions.finalizedHeight}, -1)`
      : sql`${depth} >= case when ${p.coinbase} then greatest(${blocks}::int, ${coinbaseMaturity}::int) else ${blocks}::int end`;
  const ofCoin = (steps: ConfirmationStep[]) => {
    const fromTheLast = steps.toReversed();
    const cases = fromTheLast.map(
      ({ fromUnits, blocks }) => sql`when ${p.units} >= ${fromUnits}::numeric then ${has(blocks)}`,
    );
    return sql`case ${sql.join(cases, sql` `)} else ${has(1)} end`;
  };
  const coins = Object.entries(needed) as Array<[Coin, ConfirmationStep[]]>;
  const cases = coins.map(([coin, steps]) => sql`when ${coin} then ${ofCoin(steps)}`);
  return sql`case ${p.asset} ${sql.join(cases, sql` `)} end`;
}

/** Whether a chain and the ledger disagree about a payment. */
const isUnsettled = sql`${chainPayments.counts} <> (${chainPayments.settledAt} is not null)`;

const isInPosition = eq(chainPositions.chain, chainPayments.chain);

interface Due {
  needed: Record<Coin, ConfirmationStep[]>;
  now: Date;
  limit: number;
}

/**
 * Payments that are to be credited, since they have their confirmations, or to be taken back. Those that were never refused come
 * first; whoever is done with one makes it settled or postpones it, so that the head is never the same.
 */
export function listPaymentsToSettle(db: Db, chain: WalletChain, { needed, now, limit }: Due) {
  const p = chainPayments;
  return db
    .select({
      paymentId: p.id,
      asset: p.asset,
      units: p.units,
      coinbase: p.coinbase,
      isSettled: sql<boolean>`${p.settledAt} is not null`,
    })
    .from(p)
    .innerJoin(chainPositions, isInPosition)
    .where(
      and(
        eq(p.chain, chain),
        isUnsettled,
        lte(p.askAt, now),
        sql`(not ${p.counts} or ${isConfirmedIn(needed)})`,
      ),
    )
    .orderBy(sql`(${p.refusals} > 0)`, asc(p.askAt), asc(p.id))
    .limit(limit);
}

/** What keeps nobody from leaving waits for nobody either, once they have left. */
const isNoDustOfTheGone = sql`
  (${chainPayments.refusal} is distinct from 'deposits/account-closed' or ${chainPayments.units} > bound('dust', ${chainPayments.asset}))`;

/** Confirmed payments that are not credited: how many, and since when the oldest is in a block. */
export async function findUncredited(db: Db, needed: Record<Coin, ConfirmationStep[]>) {
  const p = chainPayments;
  const [found] = await db
    .select({ count: count(), oldestAt: sql`min(${p.blockTime})`.mapWith(p.blockTime) })
    .from(p)
    .innerJoin(chainPositions, isInPosition)
    .where(and(isUnsettled, p.counts, isConfirmedIn(needed), isNoDustOfTheGone));
  return { count: found?.count ?? 0, oldestAt: found?.oldestAt ?? null };
}
