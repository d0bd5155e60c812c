import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { actAsOperator } from "../audit/act-as-operator.ts";
import { staffChanges } from "../schema.ts";
import { carryOutStaffChange, requirePossible } from "./carry-out-staff-change.ts";
import { lockStaff } from "./change-staff.ts";
import type { Operator } from "./operator.ts";
import type { StaffChange } from "./staff-change.ts";

/**
 * Carries out what another owner proposed.
 *
 * @throws Refusal `identity/no-such-proposal`, `identity/proposal-decided`, `identity/proposal-ended`,
 *   `identity/proposal-expired`, `identity/own-proposal`, `identity/concerns-oneself`, and as `changeStaff` does
 */
export function confirmStaffChange(
  db: Db,
  operator: Operator,
  { changeId, site, now }: { changeId: string; site: Site; now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    const proposal = await lockOpen(tx, changeId, now);
    if (proposal.proposedBy === operator.id) throw new Refusal("identity/own-proposal");
    if (proposal.operatorId === operator.id) throw new Refusal("identity/concerns-oneself");
    const change = asChange(proposal);
    await requirePossible(tx, change);
    await carryOutStaffChange(tx, operator, change, { confirms: proposal, site, now });
  });
}

/**
 * Ends a proposal without doing it: another owner declines it, who made it takes it back.
 *
 * @throws Refusal `identity/no-such-proposal`, `identity/proposal-decided`, `identity/proposal-ended`,
 *   `identity/proposal-expired`, `identity/concerns-oneself`
 */
export function declineStaffChange(
  db: Db,
  operator: Operator,
  { changeId, now }: { changeId: string; now: Date },
): Promise<"declined" | "withdrawn"> {
  return db.transaction(async (tx) => {
    const proposal = await lockOpen(tx, changeId, now);
    const isOwn = proposal.proposedBy === operator.id;
    if (!isOwn && proposal.operatorId === operator.id) {
      throw new Refusal("identity/concerns-oneself");
    }
    const state = isOwn ? "withdrawn" : "declined";
    const act = {
      act: isOwn
        ? ("identity/withdraw-staff-change" as const)
        : ("identity/decline-staff-change" as const),
      subject: proposal.operatorId ? `operator:${proposal.operatorId}` : `staff-change:${changeId}`,
      detail: { change: proposal.kind, role: proposal.role },
      now,
    };
    await actAsOperator(tx, operator, act, (inner, auditId) =>
      inner
        .update(staffChanges)
        .set({ state, decidedBy: operator.id, decidedByAct: auditId, decidedAt: now })
        .where(eq(staffChanges.id, changeId)),
    );
    return state;
  });
}

type Proposal = typeof staffChanges.$inferSelect;

async function lockOpen(tx: Tx, changeId: string, now: Date): Promise<Proposal> {
  await lockStaff(tx);
  const [proposal] = await tx
    .select()
    .from(staffChanges)
    .where(eq(staffChanges.id, changeId))
    .for("update");
  if (!proposal) throw new Refusal("identity/no-such-proposal");
  if (proposal.state === "ended") throw new Refusal("identity/proposal-ended");
  if (proposal.state !== "open") throw new Refusal("identity/proposal-decided");
  if (proposal.expiresAt <= now) throw new Refusal("identity/proposal-expired");
  return proposal;
}

/** The columns that a kind needs are there: `staff_changes_say_whom_they_concern`. */
function asChange(proposal: Proposal): StaffChange {
  const { kind, operatorId, email, firstName, lastName, role, reason } = proposal;
  if (kind === "invite" && email && firstName && lastName && role) {
    return { kind, email, firstName, lastName, role };
  }
  if (kind === "change-role" && operatorId && role) return { kind, operatorId, role, reason };
  if ((kind === "suspend" || kind === "reinstate") && operatorId) {
    return { kind, operatorId, reason };
  }
  throw new Error(`the proposal ${proposal.id} does not say whom it concerns`);
}
