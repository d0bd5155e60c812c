import type { Coin } from "#core/asset.ts";
import { openWithdrawalStates } from "#core/payments/withdrawal.ts";
import { and, asc, desc, eq, gt, inArray, sql } from "#server/platform/sql.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db, Tx } from "../platform/database.ts";
import { cancelLocked } from "./cancel-withdrawal.ts";
import type { Withdrawal } from "./give-back.ts";
import { withdrawals } from "./schema.ts";

const w = withdrawals;
const perCoinMs = 30 * 86_400_000;

/** Requests of one customer wait for each other, and for who keeps the account after all. */
export async function lockRequests(tx: Tx, customerId: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('withdrawals.customer:' || ${customerId}, 0))`,
  );
}

/** The final payments that were asked for and have not ended. */
export function listOpenFinalPayments(db: Db | Tx, customerId: string) {
  const isOpen = inArray(w.state, [...openWithdrawalStates]);
  return db
    .select()
    .from(w)
    .where(and(eq(w.customerId, customerId), eq(w.isFinal, true), isOpen));
}

/** Holds them for somebody who keeps the account, before its customer: staff who approve one come to that row later, too. */
export async function lockFinalPayments(tx: Tx, customerId: string): Promise<Withdrawal[]> {
  await lockRequests(tx, customerId);
  return listOpenFinalPayments(tx, customerId).orderBy(asc(w.id)).for("update");
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
 * From when a customer may ask for another final payment of a coin; null: now. A closing can be taken back and asked for again:
 * each coin has one payment without fee, minimum and limit in 30 days.
 */
export async function findNextFinal(
  db: Db | Tx,
  { customerId, coin, now }: { customerId: string; coin: Coin; now: Date },
): Promise<Date | null> {
  const [last] = await db
    .select({ requestedAt: w.requestedAt })
    .from(w)
    .where(
      and(
        ...[eq(w.customerId, customerId), eq(w.isFinal, true), eq(w.asset, coin)],
        inArray(w.state, [...openWithdrawalStates, "settled"]),
        gt(w.requestedAt, new Date(now.getTime() - perCoinMs)),
      ),
    )
    .orderBy(desc(w.requestedAt))
    .limit(1);
  return last ? new Date(last.requestedAt.getTime() + perCoinMs) : null;
}
