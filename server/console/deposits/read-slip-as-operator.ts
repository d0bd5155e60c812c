import { isClaimed } from "#core/payments/deposit.ts";
import { findDepositForReview } from "#server/deposits/find-deposit-for-review.ts";
import { readSlip } from "#server/deposits/slips/read-slip.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import type { ShownFile } from "#server/platform/files/file-response.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";

/**
 * Shows a member of staff the slip of a deposit, and writes down that it was seen, before a byte of it is given out. Null when
 * there is no such deposit.
 */
export async function readSlipAsOperator(
  { db, files }: { db: Db; files: FileStore },
  operator: ActingOperator,
  depositId: string,
  now: Date,
): Promise<ShownFile | null> {
  const deposit = await findDepositForReview(db, depositId);
  if (!deposit || !isClaimed(deposit)) return null;
  const { customerId, slipName } = deposit;
  const seen = {
    act: "deposits/view-slip" as const,
    subject: `deposit:${deposit.depositId}`,
    customerId,
    detail: { slip: slipName },
    now,
  };
  await actAsOperator(db, operator, seen, async () => {});
  return readSlip({ db, files }, depositId, "staff");
}
