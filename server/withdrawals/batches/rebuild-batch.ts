import { isUuid } from "#core/is-uuid.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, asc, desc, eq, inArray, isNotNull } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import type { Withdrawal } from "../give-back.ts";
import { refusals } from "../refusals.ts";
import { withdrawalBatches, withdrawalBatchVersions, withdrawals } from "../schema.ts";
import { subjectOfBatch } from "../withdrawal.ts";
import { type Batch, type BuiltVersion, insertVersion, type Version } from "./form-batch.ts";

/** How another version of a batch is built. */
export interface RebuildPlan {
  chain: WalletChain;
  /** `pays` are those of the last version that are not left out. */
  build(
    tx: Tx,
    from: {
      batch: Batch;
      last: Version;
      /** The newest version that was ordered: what nodes may hold, and a new one has to outbid. */
      ordered: Version | null;
      pays: Withdrawal[];
      leaveOut: string[];
    },
  ): Promise<BuiltVersion>;
}

/**
 * Builds a batch once more: with a higher fee because it is stuck, or without a payment that shall not be made. The new
 * version spends the coins, or takes the nonces, of the one before, so that the chain takes one of them at most. What is left
 * out comes back to its customer when the chain has taken a version without it for good, and not before.
 *
 * @throws Refusal `withdrawals/no-such-batch`, `withdrawals/batch-has-ended`, `withdrawals/changed-meanwhile` when `after` is
 * not the newest version, `withdrawals/reason-missing`, what the plan refuses, and as `actAsOperator` does
 */
export async function rebuildBatch(
  db: Db,
  operator: ActingOperator,
  wanted: {
    batchId: string;
    /** The number of the version that the form was made of. */
    after: number;
    /** Withdrawals that are not paid any more. */
    leaveOut: string[];
    reason: string;
    plan: RebuildPlan;
  },
  now: Date,
): Promise<void> {
  const { batchId, after, leaveOut, plan } = wanted;
  const reason = wanted.reason.trim();
  if (reason === "" || reason.length > withdrawalTerms.reasonMax) {
    throw new Refusal("withdrawals/reason-missing");
  }
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const { batch, last } = await lockBatch(tx, batchId);
      if (last.number !== after || batch.chain !== plan.chain) {
        throw new Refusal("withdrawals/changed-meanwhile");
      }
      const kept = last.pays.filter((id) => !leaveOut.includes(id));
      const w = withdrawals;
      const pays = await tx.select().from(w).where(inArray(w.id, kept)).orderBy(asc(w.id));
      const ordered = await findOrdered(tx, batchId);
      const built = await plan.build(tx, { batch, last, ordered, pays, leaveOut });
      const act = {
        act: "withdrawals/rebuild-batch" as const,
        subject: subjectOfBatch(batchId),
        detail: { ...built.detail, reason },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, madeByAct) => {
        const made = { madeBy: operator.id, madeByAct, madeAt: now };
        await insertVersion(inner, built, { batchId, number: last.number + 1, reason, ...made });
      });
    }),
  );
}

async function findOrdered(tx: Tx, batchId: string): Promise<Version | null> {
  const v = withdrawalBatchVersions;
  const [found] = await tx
    .select()
    .from(v)
    .where(and(eq(v.batchId, batchId), isNotNull(v.orderedAt)))
    .orderBy(desc(v.number))
    .limit(1);
  return found ?? null;
}

/** Takes a batch that goes on, with its newest version, so that one thing happens to it at a time. */
export async function lockBatch(tx: Tx, batchId: string) {
  if (!isUuid(batchId)) throw new Refusal("withdrawals/no-such-batch");
  const b = withdrawalBatches;
  const v = withdrawalBatchVersions;
  const [batch] = await tx.select().from(b).where(eq(b.id, batchId)).for("update");
  const [last] = await tx
    .select()
    .from(v)
    .where(eq(v.batchId, batchId))
    .orderBy(desc(v.number))
    .limit(1);
  if (!batch || !last) throw new Refusal("withdrawals/no-such-batch");
  if (batch.state === "settled" || batch.state === "failed") {
    throw new Refusal("withdrawals/batch-has-ended");
  }
  return { batch, last };
}
