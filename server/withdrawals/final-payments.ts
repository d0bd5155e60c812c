import type { Coin } from "#core/asset.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { and, asc, desc, eq, gt, isNull, sql } from "#server/platform/sql.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db, Tx } from "../platform/database.ts";
import { cancelLocked } from "./cancel-withdrawal.ts";
import type { Withdrawal } from "./give-back.ts";
import { withdrawals } from "./schema.ts";
import { isWithdrawn } from "./sum-withdrawn.ts";

const w = withdrawals;
const perCoinMs = withdrawalTerms.finalPaymentDays * 86_400_000;

/** Requests of one customer wait for each other, and for who keeps the account after all. */
export async function lockRequests(tx: Tx, customerId: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('withdrawals.customer:' || ${customerId}, 0))`,
  );
}

/** The final payments that were asked for and have not ended. */
export function listOpenFinalPayments(db: Db | Tx, customerId: string) {
  return db
    .select()
    .from(w)
    .where(and(eq(w.customerId, customerId), eq(w.isFinal, true), isNull(w.endedAt)));
}

/** Holds them for somebody who keeps the account, before its customer and in the order of a batch: staff come to them in the same. */
export async function lockFinalPayments(tx: Tx, customerId: string): Promise<Withdrawal[]> {
  await lockRequests(tx, customerId);
  return listOpenFinalPayments(tx, customerId).orderBy(asc(w.requestedAt), asc(w.id)).for("update");
}

/**
 * Gives back what was put aside for final payments that the caller has locked: whoever stays has them no more.
 *
 * @throws Refusal `withdrawals/too-late` while one of them is in a batch
 */
export async function cancelFinalPayments(
  tx: Tx,
  payments: Withdrawal[],
  { browser, now }: { browser: Browser; now: Date },
): Promise<void> {
  for (const payment of payments) {
    await cancelLocked(tx, payment, { endedBy: "customer", browser }, now);
  }
}

/**
 * From when a customer may ask for another final payment of a coin, and whether the last one is still on its way; null: now. A
 * closing can be taken back and asked for again: each coin has one payment without fee, minimum and limit in `finalPaymentDays`.
 */
export async function findNextFinal(
  db: Db | Tx,
  { customerId, coin, now }: { customerId: string; coin: Coin; now: Date },
): Promise<NextFinal | null> {
  const [last] = await db
    .select({ requestedAt: w.requestedAt, endedAt: w.endedAt })
    .from(w)
    .where(
      and(
        ...[eq(w.customerId, customerId), eq(w.isFinal, true), eq(w.asset, coin)],
        isWithdrawn,
        gt(w.requestedAt, new Date(now.getTime() - perCoinMs)),
      ),
    )
    .orderBy(desc(w.requestedAt))
    .limit(1);
  if (!last) return null;
  return {
    from: new Date(last.requestedAt.getTime() + perCoinMs),
    lastIsPaid: last.endedAt !== null,
  };
}

export interface NextFinal {
  from: Date;
  lastIsPaid: boolean;
}
