import { refusals } from "#server/deposits/refusals.ts";
import { rejectDeposit } from "#server/deposits/reject-deposit.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { refusedBy } from "#server/platform/refused-by.ts";

/**
 * Rejects a deposit as a member of staff, with the reason that its customer reads: audit row, deposit and notice in one
 * transaction.
 *
 * @throws Refusal as `rejectDeposit` does, `deposits/approval-proposed` while a proposal waits, and `identity/operator-not-active`
 */
export function rejectAsOperator(
  db: Db,
  operator: ActingOperator,
  rejection: { deposit: { id: string; customerId: string }; reason: string },
  now: Date,
): Promise<{ customerId: string }> {
  const { deposit, reason } = rejection;
  const act = {
    act: "deposits/reject" as const,
    subject: `deposit:${deposit.id}`,
    customerId: deposit.customerId,
    detail: { reason },
    now,
  };
  return refusedBy(refusals, () =>
    actAsOperator(db, operator, act, (tx, auditId) =>
      rejectDeposit(tx, { depositId: deposit.id, reason, auditId, now }),
    ),
  );
}
