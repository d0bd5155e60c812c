import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { findTransfer, type PostedTransfer } from "#server/ledger/find-transfer.ts";
import type { Db } from "#server/platform/database.ts";
import { TransactionRollbackError } from "#server/platform/sql.ts";
import { approveAsOperator, type OperatorApproval } from "./approve-as-operator.ts";

/** What an approval would write into the journal. */
export type TransferPreview = Pick<PostedTransfer, "kind" | "day" | "memo" | "entries">;

/**
 * Shows what an approval would post, to the atom: does it all, reads the transfer, and takes everything back. So whatever
 * would be refused is refused here already, and the summary cannot differ from the deed.
 *
 * @throws Refusal as `approveAsOperator` does
 */
export async function previewApproval(
  db: Db,
  operator: ActingOperator,
  approval: OperatorApproval,
  now: Date,
): Promise<TransferPreview> {
  let preview: TransferPreview | null = null;
  try {
    await db.transaction(async (tx) => {
      const { customerId, transferId } = await approveAsOperator(tx, operator, approval, now);
      preview = await findTransfer(tx, customerId, transferId);
      tx.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
  if (!preview) throw new Error("an approval posted no transfer");
  return preview;
}
