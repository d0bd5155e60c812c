import { randomUUIDv7 } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import { type ResolutionSays, withdrawalTerms } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNotNull, isNull } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { followSoon } from "../batches/follow-soon.ts";
import { about } from "../decide-withdrawal.ts";
import { lockWithdrawal } from "../lock-withdrawal.ts";
import { refusals } from "../refusals.ts";
import { withdrawalPayments, withdrawalResolutions } from "../schema.ts";

const r = withdrawalResolutions;

/**
 * Says of a payment whose transaction succeeded, and of which the token announced something else, how it ends: as paid, or as
 * undelivered. `txid` is the transaction that was looked at. Nothing happens before somebody else confirms it. The same said
 * again by the same person is the same.
 *
 * @throws Refusal `withdrawals/not-found`, `withdrawals/reason-missing`, `withdrawals/not-an-exception`, `withdrawals/resolved-already`,
 * and as `actAsOperator` does
 */
export async function proposeResolution(
  db: Db,
  operator: ActingOperator,
  wanted: { withdrawalId: string; txid: string; says: ResolutionSays; reason: string },
  now: Date,
): Promise<void> {
  const { withdrawalId, txid, says } = wanted;
  const reason = wanted.reason.trim();
  if (reason === "" || reason.length > withdrawalTerms.reasonMax) {
    throw new Refusal("withdrawals/reason-missing");
  }
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const found = await lockWithdrawal(tx, withdrawalId);
      const ofIt = and(eq(r.withdrawalId, withdrawalId), eq(r.txid, txid), eq(r.state, "open"));
      const [open] = await tx.select().from(r).where(ofIt);
      const isSame = open?.says === says && open.reason === reason;
      if (open && isSame && open.proposedBy === operator.id) return;
      const p = withdrawalPayments;
      const isException = and(isNotNull(p.fault), isNull(p.endedAt), eq(p.minedTxid, txid));
      const [odd] = await tx
        .select({ fault: p.fault })
        .from(p)
        .where(and(eq(p.withdrawalId, withdrawalId), isException));
      if (!odd) throw new Refusal("withdrawals/not-an-exception");
      const { detail, ...rest } = about(found);
      const act = {
        act: "withdrawals/propose-resolution" as const,
        ...rest,
        detail: { ...detail, txid, fault: odd.fault, says, reason },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, proposedByAct) => {
        const proposed = { proposedBy: operator.id, proposedByAct, proposedAt: now };
        await inner
          .insert(r)
          .values({ id: randomUUIDv7(), withdrawalId, txid, says, reason, ...proposed });
      });
    }),
  );
}

/**
 * Confirms, or declines, what was said of a payment exception. Only somebody else confirms; what one said oneself can be taken back.
 * What is confirmed is carried out by `followBatches`, while the node still shows that transaction in a final block. Decided
 * twice in the same way, it is decided once.
 *
 * @throws Refusal `withdrawals/not-found`, `withdrawals/no-such-resolution`, `withdrawals/own-resolution`, `withdrawals/proposer-left`, and
 * as `actAsOperator` does
 */
export async function decideResolution(
  db: Db,
  operator: ActingOperator,
  wanted: { withdrawalId: string; resolutionId: string; into: "confirmed" | "declined" },
  now: Date,
): Promise<void> {
  const { withdrawalId, resolutionId, into } = wanted;
  if (!isUuid(resolutionId)) throw new Refusal("withdrawals/no-such-resolution");
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const found = await lockWithdrawal(tx, withdrawalId);
      const isThis = and(eq(r.id, resolutionId), eq(r.withdrawalId, withdrawalId));
      const [resolution] = await tx.select().from(r).where(isThis);
      if (resolution?.state === into && resolution.decidedBy === operator.id) return;
      if (resolution?.state !== "open") throw new Refusal("withdrawals/no-such-resolution");
      const verb = into === "confirmed" ? "confirm" : "decline";
      const { detail, ...rest } = about(found);
      const { txid, says, reason } = resolution;
      const act = {
        act: `withdrawals/${verb}-resolution` as const,
        ...rest,
        detail: { ...detail, txid, says, reason },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, decidedByAct) => {
        const decided = { decidedBy: operator.id, decidedByAct, decidedAt: now };
        await inner
          .update(r)
          .set({ state: into, ...decided })
          .where(isThis);
        if (into === "confirmed") {
          await followSoon(inner, "ethereum", `resolution:${resolutionId}`);
        }
      });
    }),
  );
}
