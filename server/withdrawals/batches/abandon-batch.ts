import { randomUUIDv7 } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import { type AbandonmentState, withdrawalTerms } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, inArray, isNull, ne, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { releaseCoins } from "../bitcoin/release-coins.ts";
import { lockOpen } from "../bitcoin/settle-batch.ts";
import { abandonedWords, returnWithdrawals } from "../end-withdrawals.ts";
import { refusals } from "../refusals.ts";
import {
  withdrawalAbandonments,
  withdrawalBatches,
  withdrawalPayments,
  withdrawals,
} from "../schema.ts";
import { subjectOfBatch } from "../withdrawal.ts";
import { followSoon } from "./follow-soon.ts";
import { lockBatch } from "./rebuild-batch.ts";
import { sumOfWithdrawals } from "./sum-of-withdrawals.ts";

const a = withdrawalAbandonments;

/**
 * Proposes to end a batch of which no version can be mined: its anchor has been gone for 100 blocks, or nobody ever took a version
 * away to sign it. Nothing happens before somebody else confirms it. The same said again by the same person is the same.
 *
 * @throws Refusal `withdrawals/no-such-batch`, `withdrawals/batch-has-ended`, `withdrawals/reason-missing`, `withdrawals/not-lost`,
 * `withdrawals/abandonment-proposed`, and as `actAsOperator` does
 */
export async function proposeAbandonment(
  db: Db,
  operator: ActingOperator,
  wanted: { batchId: string; reason: string },
  now: Date,
): Promise<void> {
  const { batchId } = wanted;
  const reason = wanted.reason.trim();
  if (reason === "" || reason.length > withdrawalTerms.reasonMax) {
    throw new Refusal("withdrawals/reason-missing");
  }
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockBatch(tx, batchId);
      const isOpen = and(eq(a.batchId, batchId), eq(a.state, "open"));
      const [open] = await tx.select().from(a).where(isOpen);
      if (open?.reason === reason && open.proposedBy === operator.id) return;
      const act = {
        act: "withdrawals/propose-abandonment" as const,
        subject: subjectOfBatch(batchId),
        detail: { reason, ...(await whatComesBack(tx, batchId)) },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, proposedByAct) => {
        const proposed = { proposedBy: operator.id, proposedByAct, proposedAt: now };
        await inner.insert(a).values({ id: randomUUIDv7(), batchId, reason, ...proposed });
      });
    }),
  );
}

/**
 * Confirms, or declines, a proposal to end a batch. Only somebody else confirms; the person who proposed can withdraw it. What is
 * confirmed is carried out by `followBatches`, while it still holds, and can be declined until then. Decided twice in the same way,
 * it is decided once.
 *
 * @throws Refusal `withdrawals/no-such-batch`, `withdrawals/batch-has-ended`, `withdrawals/no-such-abandonment`,
 * `withdrawals/own-abandonment`, `withdrawals/proposer-left`, and as `actAsOperator` does
 */
export async function decideAbandonment(
  db: Db,
  operator: ActingOperator,
  wanted: { batchId: string; abandonmentId: string; into: "confirmed" | "declined" },
  now: Date,
): Promise<void> {
  const { batchId, abandonmentId, into } = wanted;
  if (!isUuid(abandonmentId)) throw new Refusal("withdrawals/no-such-abandonment");
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const { batch } = await lockBatch(tx, batchId);
      const isThis = and(eq(a.id, abandonmentId), eq(a.batchId, batchId));
      const [found] = await tx.select().from(a).where(isThis);
      if (found?.state === into && found.decidedBy === operator.id) return;
      if (!found || !decidable[into].includes(found.state)) {
        throw new Refusal("withdrawals/no-such-abandonment");
      }
      const verb = into === "confirmed" ? "confirm" : "decline";
      const act = {
        act: `withdrawals/${verb}-abandonment` as const,
        subject: subjectOfBatch(batchId),
        detail: { reason: found.reason, ...(await whatComesBack(tx, batchId)) },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, decidedByAct) => {
        const decided = { decidedBy: operator.id, decidedByAct, decidedAt: now };
        await inner
          .update(a)
          .set({ state: into, ...decided })
          .where(isThis);
        await followSoon(inner, batch.chain, `abandonment:${abandonmentId}`);
      });
    }),
  );
}

/** From which states a proposal goes into one. */
const decidable: Record<"confirmed" | "declined", AbandonmentState[]> = {
  confirmed: ["open"],
  declined: ["open", "confirmed"],
};

/**
 * Ends a batch that two people said ends, if still no version of it can be mined: its coins or nonces are free again, and what it
 * was to pay comes back to its customers. Returns whether it has.
 */
export async function abandonBatch(db: Db, batchId: string, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const b = withdrawalBatches;
    const mayEnd = sql<boolean>`may_be_abandoned(withdrawal_batches)`;
    const [batch] = await tx
      .select({ id: b.id })
      .from(b)
      .where(and(eq(b.id, batchId), isNull(b.endedAt), isNull(b.minedHash), mayEnd))
      .for("update");
    const [said] = await tx
      .select({ id: a.id })
      .from(a)
      .where(and(eq(a.batchId, batchId), eq(a.state, "confirmed")));
    if (!batch || !said) return false;
    await tx
      .update(withdrawalPayments)
      .set({ outcome: "abandoned", endedAt: now })
      .where(eq(withdrawalPayments.batchId, batchId));
    await tx
      .update(b)
      .set({ state: "failed", endedAt: now, abandonmentId: said.id })
      .where(eq(b.id, batchId));
    const unpaid = await lockOpen(tx, batchId);
    await returnWithdrawals(tx, { withdrawals: unpaid, reason: abandonedWords }, now);
    await releaseCoins(tx, { batchId, spent: [] }, now);
    return true;
  });
}

/** What its customers get back. */
async function whatComesBack(tx: Tx, batchId: string) {
  const w = withdrawals;
  const isOpen = and(eq(w.batchId, batchId), inArray(w.state, ["batched", "broadcast"]));
  const { payments, amount } = await sumOfWithdrawals(tx, isOpen, "with fees");
  return { payments, comesBack: amount };
}

/** Whether somebody has proposed to end a batch, and nobody declined it. */
export async function isBeingEnded(db: Pick<Db, "$count">, batchId: string): Promise<boolean> {
  return (await db.$count(a, and(eq(a.batchId, batchId), ne(a.state, "declined")))) > 0;
}
