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
  return {
    totalUsdCents: BigInt(totals?.totalUsdCents ?? 0),
    pendingUsdCents: BigInt(totals?.pendingUsdCents ?? 0),
    count: totals?.count ?? 0,
    pendingCount: totals?.pendingCount ?? 0,
  };
}

const selectTotals = prepared((db) =>
  db
    .select({
      totalUsdCents: sql<string>`coalesce(sum(${d.usdCents}) filter (where ${countsAsPaidIn}), 0)`,
      pendingUsdCents: sql<string>`coalesce(sum(${d.usdCents}) filter (where ${d.state} = 'pending'), 0)`,
      count: sql<number>`(count(*) filter (where ${countsAsPaidIn}))::int`,
      pendingCount: sql<number>`(count(*) filter (where ${d.state} = 'pending'))::int`,
    })
    .from(d)
    .where(eq(d.customerId, sql.placeholder("customerId")))
    .prepare("deposits_totals"),
);
