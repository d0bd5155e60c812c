import { randomUUIDv7 } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { type Arrived, checkArrived } from "./approve-deposit.ts";
import { lockPendingDeposit } from "./lock-pending-deposit.ts";
import { depositApprovals, deposits } from "./schema.ts";

const p = depositApprovals;

/** `missing`: nobody else could look. */
export type SecondPerson = "needed" | "not-needed" | "missing";

/**
 * Whether a second person has to confirm that this arrived, if `operatorId` approves it: the chain shows no such payment at the
 * customer's own address, it is more than one person may approve alone (`bounds.approvedAlone`), and somebody else could look.
 * PostgreSQL asks again when it is approved.
 *
 * @throws Refusal as `approveDeposit` does for what cannot have arrived
 */
export async function askSecondPerson(
  tx: Tx,
  operatorId: string,
  arrived: Arrived,
): Promise<SecondPerson> {
  const deposit = await lockPendingDeposit(tx, arrived.depositId);
  const { txid, outputIndex } = checkArrived(arrived, deposit);
  const said = { txid, output_index: outputIndex, quantity_units: `${arrived.quantityUnits}` };
  const slip = sql`jsonb_populate_record(${deposits}, ${JSON.stringify(said)}::jsonb)`;
  const [found] = await tx
    .select({
      isNeeded: sql<boolean>`slip_needs_two(${operatorId}::uuid, ${slip})`,
      isMissing: sql<boolean>`not another_person_decides(${operatorId}::uuid) and not is_shown_by_chain(${slip})`,
    })
    .from(deposits)
    .where(eq(deposits.id, arrived.depositId));
  if (found?.isNeeded) return "needed";
  return found?.isMissing ? "missing" : "not-needed";
}

/**
 * Writes down what one person says that arrived, in the staff act that it belongs to. Nothing is credited before somebody else
 * confirms it. The same said again by the same person is the same.
 *
 * @throws Refusal as `approveDeposit` does for what cannot have arrived, and `deposits/approval-proposed` when somebody was quicker
 */
export async function proposeApproval(
  tx: Tx,
  proposal: Arrived & { proposedBy: string; proposedByAct: string; now: Date },
): Promise<{ customerId: string }> {
  const { depositId, quantityUnits, proposedBy, proposedByAct, now } = proposal;
  const deposit = await lockPendingDeposit(tx, depositId);
  const { txid, outputIndex, usdCents } = checkArrived(proposal, deposit);
  const said = { depositId, quantityUnits, txid, outputIndex, usdCents };
  const by = { proposedBy, proposedByAct, proposedAt: now };
  await tx.insert(p).values({ id: randomUUIDv7(), ...said, ...by });
  return { customerId: deposit.customerId };
}

/**
 * Takes a proposal to decide on it, after its deposit, as whoever approves does.
 *
 * @throws Refusal `deposits/no-such-approval`
 */
export async function lockApproval(tx: Tx, approvalId: string) {
  if (!isUuid(approvalId)) throw new Refusal("deposits/no-such-approval");
  const [of] = await tx.select({ depositId: p.depositId }).from(p).where(eq(p.id, approvalId));
  const isIts = eq(deposits.id, of?.depositId ?? approvalId);
  const [deposit] = await tx.select().from(deposits).where(isIts).for("update");
  const [proposal] = await tx.select().from(p).where(eq(p.id, approvalId)).for("update");
  if (!proposal || !deposit) throw new Refusal("deposits/no-such-approval");
  return { proposal, deposit };
}

/** The deposit's own payment has credited it: nothing is left to confirm. */
export async function overtakeApproval(
  tx: Tx,
  { depositId, txid }: { depositId: string; txid: string },
): Promise<void> {
  await tx
    .update(p)
    .set({ state: "overtaken" })
    .where(and(eq(p.depositId, depositId), eq(p.state, "open"), eq(p.txid, txid)));
}

/** Writes down what was decided on a proposal, in the staff act that it belongs to. */
export async function decideApproval(
  tx: Tx,
  approvalId: string,
  decided: {
    state: "confirmed" | "declined";
    decidedBy: string;
    decidedByAct: string;
    decidedAt: Date;
  },
): Promise<void> {
  await tx.update(p).set(decided).where(eq(p.id, approvalId));
}
