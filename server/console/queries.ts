import { countOpenAdjustments } from "#server/adjustments/queries.ts";
import { countArrivals, countOpenTroubles, countRefusedPayments } from "#server/chain/queries.ts";
import { countOpenThreads } from "#server/contact/queries.ts";
import { countTestimonialsToRead } from "#server/content/queries.ts";
import {
  countOpenRulings,
  countOrphanedDeposits,
  countPendingDeposits,
} from "#server/deposits/queries.ts";
import { countOpenStaffChanges } from "#server/identity/staff-queries.ts";
import { countCustomersApart } from "#server/mining/queries.ts";
import { countFailingSources } from "#server/news/queries.ts";
import { countWaitingPayouts } from "#server/payouts/queries.ts";
import type { Db } from "#server/platform/database.ts";
import { mails } from "#server/platform/mail/schema.ts";
import { count, eq } from "#server/platform/sql.ts";
import { countStoppedJobs } from "#server/platform/stopped-jobs.ts";
import { countOpenReconciliations } from "#server/reconciliation/queries.ts";
import { countWaitingSubmissions } from "#server/verification/queries.ts";
import { countWaitingWithdrawals } from "#server/withdrawals/queries.ts";

/** How much waits for somebody on each page of the console. */
export interface WaitingWork {
  deposits: number;
  oldestDepositAt: Date | null;
  /** To approve, and batches to sign and send. */
  withdrawals: number;
  /** Proposals to move the operator's own money. */
  adjustments: number;
  /** Counts of the wallets to confirm, and differences to explain. */
  reconciliations: number;
  /** Customers who wait to be verified. */
  verifications: number;
  /** Payouts of pools that wait for a person. */
  payouts: number;
  /** Customers for whom mining work failed while all others went on. */
  customersApart: number;
  failedMails: number;
  messages: number;
  /** Words that a customer agreed to, and nobody has read. */
  testimonials: number;
  failingFeeds: number;
  stoppedJobs: number;
  /** Credits that cannot be taken back, a chain that cannot be read, payments that cannot be credited, and what was said of them. */
  chainTroubles: number;
  /** What arrived at the operator's own addresses and is not recorded. */
  arrivals: number;
  /** Proposals about staff that wait for a second owner. */
  staffChanges: number;
}

export async function getWaitingWork(db: Db, now: Date): Promise<WaitingWork> {
  const [
    deposits,
    withdrawals,
    adjustments,
    reconciliations,
    verifications,
    payouts,
    customersApart,
    [failed],
    messages,
    testimonials,
    failingFeeds,
    stoppedJobs,
    staffChanges,
    orphanedDeposits,
    unreadChains,
    refusedPayments,
    openRulings,
    arrivals,
  ] = await Promise.all([
    countPendingDeposits(db),
    countWaitingWithdrawals(db),
    countOpenAdjustments(db),
    countOpenReconciliations(db),
    countWaitingSubmissions(db),
    countWaitingPayouts(db),
    countCustomersApart(db),
    db.select({ count: count() }).from(mails).where(eq(mails.state, "failed")),
    countOpenThreads(db),
    countTestimonialsToRead(db),
    countFailingSources(db),
    countStoppedJobs(db),
    countOpenStaffChanges(db, now),
    countOrphanedDeposits(db),
    countOpenTroubles(db),
    countRefusedPayments(db),
    countOpenRulings(db),
    countArrivals(db),
  ]);
  return {
    deposits: deposits.count,
    oldestDepositAt: deposits.oldestAt,
    withdrawals,
    adjustments: adjustments.count,
    reconciliations,
    verifications,
    payouts,
    customersApart,
    failedMails: failed?.count ?? 0,
    messages: messages.count,
    testimonials,
    failingFeeds,
    stoppedJobs,
    staffChanges,
    arrivals,
    chainTroubles: orphanedDeposits + unreadChains + refusedPayments + openRulings,
  };
}
