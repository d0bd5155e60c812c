import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Tx } from "../platform/database.ts";
import { lockPendingDeposit } from "./lock-pending-deposit.ts";
import { deposits } from "./schema.ts";

export const maxReasonLength = 1000;

/**
 * Rejects a deposit with a reason that its customer reads. One transaction with the staff act that it
 * belongs to. Locks the deposit; enqueues the notice to the customer.
 *
 * Refuses with deposits/not-found, deposits/already-reviewed and deposits/reason-missing (empty, or longer
 * than a customer would read).
 */
export async function rejectDeposit(
  tx: Tx,
  rejection: {
    depositId: string;
    reason: string;
    /** The audit row of the staff act, whose subject is `deposit:<id>`. */
    auditId: string;
    now: Date;
  },
): Promise<{ customerId: string }> {
  const { depositId, auditId, now } = rejection;
  const { customerId, method, claimedUsdCents } = await lockPendingDeposit(tx, depositId);
  const reason = rejection.reason.replaceAll("\0", "").trim();
  if (reason === "" || reason.length > maxReasonLength)
    throw new Refusal("deposits/reason-missing");
  await tx
    .update(deposits)
    .set({
      state: "rejected",
      rejectionReason: reason,
      reviewedAt: now,
      reviewActionId: auditId,
    })
    .where(eq(deposits.id, depositId));
  const facts = { depositId, method, usdCents: claimedUsdCents, reason };
  await sendNoticeLater(tx, { customerId, notice: { kind: "deposit-rejected", ...facts } });
  return { customerId };
}
