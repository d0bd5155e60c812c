import { toDecimal } from "#core/money.ts";
import { coinOfMethod, type DepositMethod } from "#core/payments/deposit.ts";
import {
  askSecondPerson,
  proposeApproval,
  type SecondPerson,
} from "#server/deposits/approval-proposals.ts";
import { approveDeposit } from "#server/deposits/approve-deposit.ts";
import { findApproval } from "#server/deposits/find-approval.ts";
import { refusals } from "#server/deposits/refusals.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { refusedBy } from "#server/platform/refused-by.ts";

export interface OperatorApproval {
  /** The case that the operator has before him. */
  deposit: { id: string; customerId: string; method: DepositMethod; claimedUsdCents: bigint };
  quantityUnits: bigint;
  txid: string;
  outputIndex: number | null;
  usdCents: bigint;
}

/**
 * Approves a deposit as a member of staff: audit row, transfer, deposit and notice in one transaction. The audit log keeps what arrived,
 * the payment, both dollar amounts, and where nobody else could look. Where it takes a second person it is proposed (`transferId` null).
 *
 * @throws Refusal as `approveDeposit` and `proposeApproval` do, and as `actAsOperator` does
 */
export function approveAsOperator(
  db: Db | Tx,
  operator: ActingOperator,
  approval: OperatorApproval,
  now: Date,
): Promise<{ transferId: string | null; customerId: string; second: SecondPerson }> {
  const arrived = arrivedOf(approval);
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const second = await askSecondPerson(tx, operator.id, arrived);
      const needsTwo = second === "needed";
      if (needsTwo && (await isProposed(tx, operator.id, arrived))) {
        return { customerId: approval.deposit.customerId, transferId: null, second };
      }
      const verb = needsTwo ? ("propose-approval" as const) : ("approve" as const);
      const alone = second === "missing" ? { alone: true } : {};
      const act = { act: `deposits/${verb}` as const, ...aboutApproval(approval, alone), now };
      return actAsOperator(tx, operator, act, async (inner, auditId) => {
        if (!needsTwo)
          return { ...(await approveDeposit(inner, { ...arrived, auditId, now })), second };
        const by = { proposedBy: operator.id, proposedByAct: auditId, now };
        return {
          ...(await proposeApproval(inner, { ...arrived, ...by })),
          transferId: null,
          second,
        };
      });
    }),
  );
}

/** Whether the same person has said the same already. */
async function isProposed(tx: Tx, operatorId: string, arrived: ReturnType<typeof arrivedOf>) {
  const open = await findApproval(tx, arrived.depositId);
  return (
    open?.state === "open" &&
    open.proposedBy === operatorId &&
    open.quantityUnits === arrived.quantityUnits &&
    open.txid === arrived.txid &&
    open.outputIndex === arrived.outputIndex &&
    open.usdCents === arrived.usdCents
  );
}

export function arrivedOf({ deposit, ...said }: OperatorApproval) {
  return { depositId: deposit.id, ...said };
}

/** What the audit log says of an approval, of its proposal, and of what became of that. */
export function aboutApproval(
  approval: OperatorApproval,
  more: { alone?: boolean; proposal?: string } = {},
) {
  const { deposit, quantityUnits, txid, outputIndex, usdCents } = approval;
  const coin = coinOfMethod[deposit.method];
  return {
    subject: `deposit:${deposit.id}`,
    customerId: deposit.customerId,
    detail: {
      quantity: `${toDecimal(quantityUnits, coin)} ${coin}`,
      txid,
      output: outputIndex,
      claimedUsd: toDecimal(deposit.claimedUsdCents, "USD"),
      approvedUsd: toDecimal(usdCents, "USD"),
      ...more,
    },
  };
}
