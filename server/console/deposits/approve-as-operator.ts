import { toDecimal } from "#core/money.ts";
import { coinOfMethod, type DepositMethod } from "#core/payments/deposit.ts";
import { approveDeposit } from "#server/deposits/approve-deposit.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db, Tx } from "#server/platform/database.ts";

export interface OperatorApproval {
  /** The case that the operator has before him. */
  deposit: { id: string; customerId: string; method: DepositMethod; claimedUsdCents: bigint };
  quantityUnits: bigint;
  txid: string;
  outputIndex: number | null;
  usdCents: bigint;
}

/**
 * Approves a deposit as a member of staff: audit row, transfer, deposit and notice in one transaction. The audit log keeps
 * what arrived, the payment, and both dollar amounts.
 *
 * @throws Refusal as `approveDeposit` does, and `identity/operator-not-active`
 */
export function approveAsOperator(
  db: Db | Tx,
  operator: ActingOperator,
  approval: OperatorApproval,
  now: Date,
): Promise<{ transferId: string; customerId: string }> {
  const { deposit, quantityUnits, txid, outputIndex, usdCents } = approval;
  const coin = coinOfMethod[deposit.method];
  const act = {
    act: "deposits/approve" as const,
    subject: `deposit:${deposit.id}`,
    customerId: deposit.customerId,
    detail: {
      quantity: `${toDecimal(quantityUnits, coin)} ${coin}`,
      txid,
      output: outputIndex,
      claimedUsd: toDecimal(deposit.claimedUsdCents, "USD"),
      approvedUsd: toDecimal(usdCents, "USD"),
    },
    now,
  };
  return actAsOperator(db, operator, act, (tx, auditId) =>
    approveDeposit(tx, {
      depositId: deposit.id,
      quantityUnits,
      txid,
      outputIndex,
      usdCents,
      auditId,
      now,
    }),
  );
}
