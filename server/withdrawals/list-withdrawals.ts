import { containing } from "#server/platform/containing.ts";
import { and, asc, count, desc, eq, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { withdrawals } from "./schema.ts";
import { columns, heldUntil } from "./select-withdrawals.ts";

const w = withdrawals;

export interface WithdrawalListing {
  search?: string | undefined;
  page: number;
  show: number;
}

/** A page of a customer's withdrawals, newest first, with what was sent and what is on its way. */
export async function listWithdrawals(
  db: Db,
  customerId: string,
  { search, page, show }: WithdrawalListing,
  now: Date,
) {
  const matches = and(
    eq(w.customerId, customerId),
    containing(search?.trim(), w.address, w.asset, w.state, sql`${w.id}::text`),
  );
  const sums = await db
    .select({
      asset: w.asset,
      total: count(),
      sentUnits:
        sql`coalesce(sum(${w.units} - ${w.feeUnits}) filter (where ${w.state} = 'settled'), 0)`.mapWith(
          w.units,
        ),
    })
    .from(w)
    .where(matches)
    .groupBy(w.asset)
    .orderBy(asc(w.asset));
  const total = sums.reduce((sum, each) => sum + each.total, 0);
  const shown = Math.min(page, Math.max(1, Math.ceil(total / show)));
  const rows = await db
    .select({ ...columns, heldUntil: heldUntil(now) })
    .from(w)
    .where(matches)
    .orderBy(desc(w.requestedAt), desc(w.id))
    .limit(show)
    .offset((shown - 1) * show);
  const sent = sums.map(({ asset, sentUnits }) => ({ asset, units: sentUnits }));
  return { withdrawals: rows, total, page: shown, sent };
}

export type WithdrawalPage = Awaited<ReturnType<typeof listWithdrawals>>;

/** A customer's newest withdrawals, for staff. */
export function listWithdrawalsOf(db: Db, customerId: string, limit: number) {
  return db
    .select(columns)
    .from(w)
    .where(eq(w.customerId, customerId))
    .orderBy(desc(w.requestedAt), desc(w.id))
    .limit(limit);
}
