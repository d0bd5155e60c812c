import type { DepositMethod, DepositState } from "#core/payments/deposit.ts";
import { deposits } from "#server/deposits/schema.ts";
import { auditLog, users } from "#server/identity/schema.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { keyset } from "#server/platform/keyset.ts";
import { aliasedTable, and, eq, sql } from "#server/platform/sql.ts";

export interface DecidedDeposit {
  depositId: string;
  customerId: string;
  customerName: string;
  method: DepositMethod;
  /** Null: nobody claimed it, a payment brought it. */
  claimedUsdCents: bigint | null;
  /** Null: not valued yet. */
  usdCents: bigint | null;
  /** What arrived; null when it was rejected. */
  quantityUnits: bigint | null;
  rejectionReason: string | null;
  createdAt: Date;
  reviewedAt: Date;
  /** Null: a payment on chain decided it. */
  reviewerName: string | null;
}

const d = deposits;
const newestFirst = keyset("desc", d.reviewedAt, d.id);

const reviewers = aliasedTable(users, "reviewers");

/** Deposits that were approved, or rejected, the newest decision first. `after` is the id of the last one seen. */
export async function listDecidedDeposits(
  db: Db | Tx,
  wanted: { state: Exclude<DepositState, "pending">; after?: string | undefined; limit: number },
): Promise<DecidedDeposit[]> {
  const { state, after, limit } = wanted;
  return db
    .select({
      depositId: d.id,
      customerId: d.customerId,
      customerName: sql<string>`${users.name}`,
      method: d.method,
      claimedUsdCents: d.claimedUsdCents,
      usdCents: d.usdCents,
      quantityUnits: d.quantityUnits,
      rejectionReason: d.rejectionReason,
      createdAt: d.createdAt,
      reviewedAt: sql<Date>`${d.reviewedAt}`.mapWith(d.reviewedAt),
      reviewerName: sql<
        string | null
      >`case when ${d.paymentId} is null then coalesce(${reviewers.name}, '') end`,
    })
    .from(d)
    .innerJoin(users, eq(users.id, d.customerId))
    .leftJoin(auditLog, eq(auditLog.id, d.reviewActionId))
    .leftJoin(reviewers, eq(reviewers.id, auditLog.operatorId))
    .where(and(eq(d.state, state), newestFirst.beyond(after)))
    .orderBy(...newestFirst.by)
    .limit(limit);
}
