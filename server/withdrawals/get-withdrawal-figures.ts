import { and, count, gt, inArray, min, ne, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { withdrawals } from "./schema.ts";

const w = withdrawals;

export interface WithdrawalFigures {
  /** From the request to the transaction's broadcast, of what was sent in the last 90 days; null: nothing was. */
  medianHours: number | null;
  p95Hours: number | null;
  sent: number;
  /** The oldest one that its customer has confirmed and that is not sent. */
  oldestOpenAt: Date | null;
}

/** How long customers wait, for everybody to read. */
export async function getWithdrawalFigures(db: Db, now: Date): Promise<WithdrawalFigures> {
  const since = new Date(now.getTime() - 90 * 86_400_000);
  const hours = sql`extract(epoch from ${w.broadcastAt} - ${w.requestedAt}) / 3600`;
  const [paid] = await db
    .select({
      sent: count(),
      median: sql<number | null>`percentile_cont(0.5) within group (order by ${hours})`,
      p95: sql<number | null>`percentile_cont(0.95) within group (order by ${hours})`,
    })
    .from(w)
    .where(and(gt(w.broadcastAt, since), ne(w.state, "returned")));
  const [open] = await db
    .select({ oldestAt: min(w.requestedAt) })
    .from(w)
    .where(inArray(w.state, ["confirmed", "approved", "batched"]));
  const round = (value: number | null | undefined) =>
    value === null || value === undefined ? null : Math.round(Number(value) * 10) / 10;
  return {
    medianHours: round(paid?.median),
    p95Hours: round(paid?.p95),
    sent: paid?.sent ?? 0,
    oldestOpenAt: open?.oldestAt ?? null,
  };
}
