import { randomUUIDv7 } from "node:crypto";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, gt, isNull } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { about } from "./decide-withdrawal.ts";
import { lockWithdrawal } from "./lock-withdrawal.ts";
import { refusals } from "./refusals.ts";
import { withdrawalHolds } from "./schema.ts";

/**
 * Keeps a withdrawal out of batches until a moment, for a reason that its customer reads. The hold ends by itself; all
 * holds on one withdrawal end within 30 days of the first.
 *
 * @throws Refusal `withdrawals/not-found`, `withdrawals/reason-missing`, `withdrawals/bad-end`, `withdrawals/too-late`,
 * `withdrawals/held-already`, `withdrawals/hold-too-long`, and as `actAsOperator` does
 */
export async function placeHold(
  db: Db,
  operator: ActingOperator,
  hold: { withdrawalId: string; reason: string; endsAt: Date },
  now: Date,
): Promise<void> {
  const { withdrawalId, endsAt } = hold;
  const reason = hold.reason.trim();
  if (reason === "" || reason.length > withdrawalTerms.reasonMax) {
    throw new Refusal("withdrawals/reason-missing");
  }
  if (!(endsAt > now)) throw new Refusal("withdrawals/bad-end");
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const found = await lockWithdrawal(tx, withdrawalId);
      const { detail, ...rest } = about(found);
      const act = {
        act: "withdrawals/place-hold" as const,
        ...rest,
        detail: { ...detail, reason, until: endsAt.toISOString() },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, placedByAct) => {
        const id = randomUUIDv7();
        const placed = { placedBy: operator.id, placedByAct, placedAt: now };
        await inner.insert(withdrawalHolds).values({ id, withdrawalId, reason, endsAt, ...placed });
        const { customerId, asset, units, address } = found;
        const facts = { withdrawalId, holdId: id, asset, units, address, reason };
        const until = endsAt.toISOString();
        const notice = { kind: "withdrawal-held" as const, ...facts, endsAt: until };
        await sendNoticeLater(inner, { customerId, notice });
      });
    }),
  );
}

/**
 * Ends a hold before its time. One that has ended stays so.
 *
 * @throws Refusal `withdrawals/not-found`, `withdrawals/held-anew` where another one has begun since, and as `actAsOperator` does
 */
export async function liftHold(
  db: Db,
  operator: ActingOperator,
  { withdrawalId, holdId }: { withdrawalId: string; holdId: string },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await lockWithdrawal(tx, withdrawalId);
    const h = withdrawalHolds;
    const stands = and(eq(h.withdrawalId, withdrawalId), isNull(h.liftedAt), gt(h.endsAt, now));
    const [hold] = await tx.select({ id: h.id }).from(h).where(stands);
    if (!hold) return;
    if (hold.id !== holdId) throw new Refusal("withdrawals/held-anew");
    const act = { act: "withdrawals/lift-hold" as const, ...about(found), now };
    await actAsOperator(tx, operator, act, (inner, liftedByAct) =>
      inner
        .update(h)
        .set({ liftedBy: operator.id, liftedByAct, liftedAt: now })
        .where(eq(h.id, hold.id)),
    );
  });
}
