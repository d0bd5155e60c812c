import { count, eq } from "drizzle-orm";
import { countPendingDeposits } from "#server/deposits/queries.ts";
import type { Db } from "#server/platform/database.ts";
import { mails } from "#server/platform/mail/schema.ts";

/** How much waits for somebody on each page of the console. */
export interface WaitingWork {
  deposits: number;
  oldestDepositAt: Date | null;
  failedMails: number;
}

export async function getWaitingWork(db: Db): Promise<WaitingWork> {
  const [deposits, [failed]] = await Promise.all([
    countPendingDeposits(db),
    db.select({ count: count() }).from(mails).where(eq(mails.state, "failed")),
  ]);
  return {
    deposits: deposits.count,
    oldestDepositAt: deposits.oldestAt,
    failedMails: failed?.count ?? 0,
  };
}
