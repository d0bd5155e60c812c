import type { DepositMethod } from "#core/payments/deposit.ts";
import { and, asc, eq, inArray, ne } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { depositApprovals, deposits } from "../schema.ts";

/** How far a claim in dollars may be from what arrived: prices move, and senders read them elsewhere. */
const tolerancePercent = 5n;

/**
 * The slip that waits for review and claims what a payment is worth: of several the closest, then the oldest; none of which somebody
 * proposed that another transaction paid it. Locks it, so that staff do not decide it meanwhile; who does has it already, and it is not
 * taken.
 */
export async function matchSlip(
  tx: Tx,
  {
    customerId,
    method,
    usdCents,
    txid,
  }: { customerId: string; method: DepositMethod; usdCents: bigint; txid: string },
): Promise<{ depositId: string; claimedUsdCents: bigint } | null> {
  const waiting = await tx
    .select({ depositId: deposits.id, claimedUsdCents: deposits.claimedUsdCents })
    .from(deposits)
    .where(
      and(
        eq(deposits.customerId, customerId),
        eq(deposits.method, method),
        eq(deposits.state, "pending"),
      ),
    )
    .orderBy(asc(deposits.createdAt), asc(deposits.id))
    .for("update", { skipLocked: true });
  const p = depositApprovals;
  const ids = waiting.map(({ depositId }) => depositId);
  // Asked once they are locked: nobody proposes anything of them now.
  const others = await tx
    .select({ depositId: p.depositId })
    .from(p)
    .where(and(inArray(p.depositId, ids), eq(p.state, "open"), ne(p.txid, txid)));
  const taken = new Set(others.map(({ depositId }) => depositId));
  const close = waiting.flatMap(({ depositId, claimedUsdCents }) => {
    if (claimedUsdCents === null || taken.has(depositId)) return [];
    const distance = claimedUsdCents - usdCents;
    const size = distance < 0n ? -distance : distance;
    const isClose = size * 100n <= claimedUsdCents * tolerancePercent;
    return isClose ? [{ depositId, claimedUsdCents, size }] : [];
  });
  const [closest] = close.toSorted((a, b) => (a.size < b.size ? -1 : Number(a.size > b.size)));
  return closest ?? null;
}
