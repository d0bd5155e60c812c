import { isUuid } from "#core/is-uuid.ts";
import { formatAmount } from "#core/money.ts";
import type { CountState } from "#core/payments/custody-count.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { recordHolding } from "./record-holding.ts";
import { refusals } from "./refusals.ts";
import { custodyCounts } from "./schema.ts";

type Entered = typeof custodyCounts.$inferSelect;
type Decision = Exclude<CountState, "open">;

/**
 * Confirms what somebody else counted, and records it as what lay on chain: from now on it says whether contracts are
 * sold. Pressed twice, or by two at once, it is confirmed once.
 *
 * Refuses with reconciliation/not-found, reconciliation/already-decided, reconciliation/own-count, reconciliation/proposer-left,
 * and as `actAsOperator` does.
 */
export async function confirmCount(
  db: Db,
  operator: ActingOperator,
  countId: string,
  now: Date,
): Promise<void> {
  await decide(db, operator, { countId, into: "confirmed", now }, async (tx, count) => {
    if (count.proposedBy === operator.id) throw new Refusal("reconciliation/own-count");
    const { id, asset, units, asOf, blockHeight } = count;
    const holding = { asset, units, asOf, blockHeight, source: "count" as const, countId: id };
    await recordHolding(tx, holding, now);
  });
}

/**
 * Says no to what somebody else counted, with a reason that he reads.
 *
 * Refuses as `confirmCount` does, and with reconciliation/reason-missing.
 */
export async function rejectCount(
  db: Db,
  operator: ActingOperator,
  { countId, reason }: { countId: string; reason: string },
  now: Date,
): Promise<void> {
  const rejectionReason = reason.trim().slice(0, 1000);
  if (rejectionReason === "") throw new Refusal("reconciliation/reason-missing");
  const rejection = { countId, into: "rejected" as const, rejectionReason, now };
  await decide(db, operator, rejection, async (_, count) => {
    if (count.proposedBy === operator.id) throw new Refusal("reconciliation/own-count");
  });
}

/**
 * Takes a count of one's own back before anybody has decided it.
 *
 * Refuses with reconciliation/not-found, reconciliation/already-decided, reconciliation/not-your-count, and as
 * `actAsOperator` does.
 */
export async function withdrawCount(
  db: Db,
  operator: ActingOperator,
  countId: string,
  now: Date,
): Promise<void> {
  await decide(db, operator, { countId, into: "withdrawn", now }, async (_, count) => {
    if (count.proposedBy !== operator.id) throw new Refusal("reconciliation/not-your-count");
  });
}

const acts = {
  confirmed: "reconciliation/confirm-count",
  rejected: "reconciliation/reject-count",
  withdrawn: "reconciliation/withdraw-count",
} as const satisfies Record<Decision, string>;

/** Locks the count, so that one decision about it happens at a time. Decided in this way by this person already: done. */
async function decide(
  db: Db,
  operator: ActingOperator,
  {
    countId,
    into,
    rejectionReason = null,
    now,
  }: {
    countId: string;
    into: Decision;
    rejectionReason?: string | null;
    now: Date;
  },
  guard: (tx: Tx, count: Entered) => Promise<void>,
): Promise<void> {
  if (!isUuid(countId)) throw new Refusal("reconciliation/not-found");
  await db.transaction(async (tx) => {
    const isThis = eq(custodyCounts.id, countId);
    const [count] = await tx.select().from(custodyCounts).where(isThis).for("update");
    if (!count) throw new Refusal("reconciliation/not-found");
    if (count.state === into && count.decidedBy === operator.id) return;
    if (count.state !== "open") throw new Refusal("reconciliation/already-decided");
    const { asset, units, asOf } = count;
    const detail = { amount: `${formatAmount(units, asset)} ${asset}`, asOf: asOf.toISOString() };
    const act = { act: acts[into], subject: `count:${countId}`, detail, now };
    await actAsOperator(tx, operator, act, async (inner, auditId) => {
      await guard(inner, count);
      const decision = { decidedBy: operator.id, decidedByAct: auditId, decidedAt: now };
      await refusedBy(refusals, () =>
        inner
          .update(custodyCounts)
          .set({ state: into, ...decision, rejectionReason })
          .where(isThis),
      );
    });
  });
}
