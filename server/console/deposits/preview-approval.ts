import type { SecondPerson } from "#server/deposits/approval-proposals.ts";
import { postArrived } from "#server/deposits/approve-deposit.ts";
import { lockPendingDeposit } from "#server/deposits/lock-pending-deposit.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { findTransfer, type PostedTransfer } from "#server/ledger/find-transfer.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { TransactionRollbackError } from "#server/platform/sql.ts";
import { approveAsOperator, arrivedOf, type OperatorApproval } from "./approve-as-operator.ts";

/** What an approval would write into the ledger, and whether a second person has to confirm it before. */
export type TransferPreview = Pick<PostedTransfer, "kind" | "day" | "memo" | "entries"> & {
  second: SecondPerson;
};

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
      const done = await approveAsOperator(tx, operator, approval, now);
      const { customerId, transferId, second } = done;
      const posted = transferId ?? (await postProposed(tx, approval, now));
      const transfer = await findTransfer(tx, customerId, posted);
      preview = transfer && { ...transfer, second };
      tx.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
  if (!preview) throw new Error("an approval posted no transfer");
  return preview;
}

async function postProposed(tx: Tx, approval: OperatorApproval, now: Date): Promise<string> {
  const arrived = { ...arrivedOf(approval), now };
  const deposit = await lockPendingDeposit(tx, arrived.depositId);
  return (await postArrived(tx, arrived, deposit)).transferId;
}
