import { eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../platform/database/prepared.ts";
import type { Db, Tx } from "../platform/database.ts";
import { deposits } from "./schema.ts";

const d = deposits;

/** Neither rejected nor taken back. What has no value yet adds nothing. */
export const countsAsPaidIn = sql`${d.state} in ('pending', 'approved')`;

/** What a customer's deposits add up to. Rejected ones do not count. */
export interface DepositTotals {
  totalUsdCents: bigint;
  /** The part that waits for review. */
  pendingUsdCents: bigint;
  count: number;
  pendingCount: number;
}

export async function depositTotals(db: Db | Tx, customerId: string): Promise<DepositTotals> {
  const [totals] = await selectTotals(db, { customerId });
  if (!totals) throw new Error("no row instead of one");
  return totals;
}

const selectTotals = prepared((db) =>
  db
    .select({
      totalUsdCents: sql`coalesce(sum(${d.usdCents}) filter (where ${countsAsPaidIn}), 0)`.mapWith(
        BigInt,
      ),
      pendingUsdCents:
        sql`coalesce(sum(${d.usdCents}) filter (where ${d.state} = 'pending'), 0)`.mapWith(BigInt),
      count: sql<number>`(count(*) filter (where ${countsAsPaidIn}))::int`,
      pendingCount: sql<number>`(count(*) filter (where ${d.state} = 'pending'))::int`,
    })
    .from(d)
    .where(eq(d.customerId, sql.placeholder("customerId")))
    .prepare("deposits_totals"),
);
