import { toDecimal } from "#core/money.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { giveBack, type Withdrawal } from "./give-back.ts";
import { lockWithdrawal } from "./lock-withdrawal.ts";
import { refusals } from "./refusals.ts";
import { withdrawals } from "./schema.ts";
import { subjectOf } from "./withdrawal.ts";

/**
 * Approves a withdrawal that its customer has confirmed: it goes into the batch of its day. Pressed twice, it is one
 * approval; of two who decide at once the second one reads that it was decided.
 *
 * @throws Refusal `withdrawals/not-found`, `withdrawals/not-confirmed`, `withdrawals/already-decided`,
 * `withdrawals/account-frozen`, `withdrawals/money-stays`, and as `actAsOperator` does
 */
export async function approveWithdrawal(
  db: Db,
  operator: ActingOperator,
  withdrawalId: string,
  now: Date,
): Promise<void> {
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const found = await lockWithdrawal(tx, withdrawalId);
      if (found.state === "requested") throw new Refusal("withdrawals/not-confirmed");
      if (found.state === "approved" && found.approvedBy === operator.id) return;
      if (found.state !== "confirmed") throw new Refusal("withdrawals/already-decided");
      const act = { act: "withdrawals/approve" as const, ...about(found), now };
      await actAsOperator(tx, operator, act, (inner, auditId) =>
        inner
          .update(withdrawals)
          .set({
            state: "approved",
            approvedBy: operator.id,
            approvedByAct: auditId,
            approvedAt: now,
          })
          .where(eq(withdrawals.id, withdrawalId)),
      );
    }),
  );
}

/**
 * Says no to a withdrawal that is in no batch, with a reason that its customer reads: what was held is available again.
 *
 * @throws Refusal `withdrawals/not-found`, `withdrawals/reason-missing`, `withdrawals/already-decided`,
 * `withdrawals/too-late`, and as `actAsOperator` does
 */
export async function rejectWithdrawal(
  db: Db,
  operator: ActingOperator,
  { withdrawalId, reason: said }: { withdrawalId: string; reason: string },
  now: Date,
): Promise<void> {
  const reason = said.trim();
  if (reason === "" || reason.length > withdrawalTerms.reasonMax) {
    throw new Refusal("withdrawals/reason-missing");
  }
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const found = await lockWithdrawal(tx, withdrawalId);
      const { state, customerId, asset, units, address } = found;
      if (state === "rejected" && found.reason === reason) return;
      if (state === "cancelled" || state === "rejected") {
        throw new Refusal("withdrawals/already-decided");
      }
      if (found.batchId) throw new Refusal("withdrawals/too-late");
      const { detail, ...rest } = about(found);
      const act = {
        act: "withdrawals/reject" as const,
        ...rest,
        detail: { ...detail, reason },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, endedByAct) => {
        await giveBack(
          inner,
          found,
          { state: "rejected", endedBy: "staff", reason, endedByAct },
          now,
        );
        const facts = { withdrawalId, asset, units, address, reason };
        const notice = { kind: "withdrawal-rejected" as const, ...facts };
        await sendNoticeLater(inner, { customerId, notice });
      });
    }),
  );
}

/** What the audit log says of an act on a withdrawal. */
export function about({ id, customerId, asset, units, address }: Withdrawal) {
  return {
    subject: subjectOf(id),
    customerId,
    detail: { amount: `${toDecimal(units, asset)} ${asset}`, address },
  };
}
