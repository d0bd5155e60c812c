import { Refusal } from "#core/refusal.ts";
import { decideApproval, lockApproval } from "#server/deposits/approval-proposals.ts";
import { approveDeposit } from "#server/deposits/approve-deposit.ts";
import { refusals } from "#server/deposits/refusals.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { refusedBy } from "#server/platform/refused-by.ts";
import { aboutApproval, arrivedOf } from "./approve-as-operator.ts";

/**
 * Confirms what a colleague said that arrived, which credits it, or declines it: then the deposit waits as before. Only somebody else
 * confirms; one's own proposal can be taken back. Decided twice in the same way, it is decided once.
 *
 * @throws Refusal `deposits/no-such-approval`, `deposits/own-approval`, `deposits/proposer-left`, `deposits/already-reviewed` where its
 * own payment credited the deposit since, as `approveDeposit` does, and as `actAsOperator` does
 */
export async function decideApprovalAsOperator(
  db: Db,
  operator: ActingOperator,
  { approvalId, into }: { approvalId: string; into: "confirmed" | "declined" },
  now: Date,
): Promise<void> {
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const { proposal, deposit } = await lockApproval(tx, approvalId);
      if (proposal.state === into && proposal.decidedBy === operator.id) return;
      if (proposal.state !== "open") throw new Refusal("deposits/already-reviewed");
      const { quantityUnits, txid, outputIndex, usdCents } = proposal;
      const { id, customerId, method, claimedUsdCents } = deposit;
      const approval = {
        deposit: { id, customerId, method, claimedUsdCents: claimedUsdCents ?? 0n },
        quantityUnits,
        txid,
        outputIndex,
        usdCents,
      };
      const verb = into === "confirmed" ? ("confirm" as const) : ("decline" as const);
      const act = {
        act: `deposits/${verb}-approval` as const,
        ...aboutApproval(approval, { proposal: approvalId }),
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, auditId) => {
        const by = { decidedBy: operator.id, decidedByAct: auditId, decidedAt: now };
        await decideApproval(inner, approvalId, { state: into, ...by });
        if (into === "confirmed") {
          await approveDeposit(inner, { ...arrivedOf(approval), auditId, now });
        }
      });
    }),
  );
}
