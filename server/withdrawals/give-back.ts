import type { WithdrawalEnder } from "#core/payments/withdrawal.ts";
import { utcDay } from "#core/utc-day.ts";
import { eq } from "#server/platform/sql.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import type { Tx } from "../platform/database.ts";
import { withdrawals } from "./schema.ts";
import { subjectOf } from "./withdrawal.ts";

export type Withdrawal = typeof withdrawals.$inferSelect;

/** How a withdrawal ended without leaving. */
export type Ending =
  | { state: "cancelled"; endedBy: Exclude<WithdrawalEnder, "staff" | "chain"> }
  | { state: "rejected"; endedBy: "staff"; reason: string; endedByAct: string }
  | { state: "returned"; endedBy: "chain"; reason: string };

const memos = {
  cancelled: "Cancelled",
  rejected: "Rejected",
  returned: "Could not leave",
} as const;

/** Ends a withdrawal that the caller has locked, and makes what was held for it available again, once. */
export async function giveBack(
  tx: Tx,
  withdrawal: Withdrawal,
  ending: Ending,
  now: Date,
): Promise<void> {
  const { id, customerId, asset, units } = withdrawal;
  const said = "reason" in ending ? `: ${ending.reason}` : "";
  const { transferId } = await postTransfer(tx, {
    kind: "withdrawal-cancelled",
    key: `withdrawal-cancelled:${id}`,
    ownerId: customerId,
    day: utcDay(now),
    occurredAt: now,
    source: subjectOf(id),
    memo: `${memos[ending.state]}${said}`.slice(0, 500),
    legs: [
      { account: "held", asset, owner: customerId, units: -units },
      { account: "available", asset, owner: customerId, units },
    ],
  });
  await tx
    .update(withdrawals)
    .set({ ...ending, endedAt: now, endTransferId: transferId })
    .where(eq(withdrawals.id, id));
}
