import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, desc, eq, ne, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { type Arrived, checkArrived } from "./approve-deposit.ts";
import { isUuid } from "./deposit.ts";
import { lockPendingDeposit } from "./lock-pending-deposit.ts";
import { depositApprovals, deposits } from "./schema.ts";

const p = depositApprovals;
const proposer = alias(users, "proposer");
const decider = alias(users, "decider");

/**
 * Whether a second person has to confirm that this arrived, if `operatorId` approves it: the chain shows no such payment at the
 * customer's own address, it is more than one person may approve alone (`aloneUnits`), and somebody else could look.
 * PostgreSQL asks again when it is approved.
 *
 * @throws Refusal as `approveDeposit` does for what cannot have arrived
 */
export async function needsSecondPerson(
  tx: Tx,
  operatorId: string,
  arrived: Arrived,
): Promise<boolean> {
  const deposit = await lockPendingDeposit(tx, arrived.depositId);
  const { txid, outputIndex } = checkArrived(arrived, deposit);
  const said = { txid, output_index: outputIndex, quantity_units: `${arrived.quantityUnits}` };
  const slip = sql`jsonb_populate_record(${deposits}, ${JSON.stringify(said)}::jsonb)`;
  const [found] = await tx
    .select({ needsTwo: sql<boolean>`slip_needs_two(${operatorId}::uuid, ${slip})` })
    .from(deposits)
    .where(eq(deposits.id, arrived.depositId));
  return found?.needsTwo ?? false;
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

/** The proposal that waits for a second person, or was confirmed by one; null: there is none. */
export async function findApproval(db: Db | Tx, depositId: string) {
  const [found] = await db
    .select({
      id: p.id,
      depositId: p.depositId,
      quantityUnits: p.quantityUnits,
      txid: p.txid,
      outputIndex: p.outputIndex,
      usdCents: p.usdCents,
      state: p.state,
      proposedBy: p.proposedBy,
      proposedAt: p.proposedAt,
      proposerName: proposer.name,
      decidedAt: p.decidedAt,
      deciderName: decider.name,
    })
    .from(p)
    .innerJoin(proposer, eq(proposer.id, p.proposedBy))
    .leftJoin(decider, eq(decider.id, p.decidedBy))
    .where(and(eq(p.depositId, depositId), ne(p.state, "declined")))
    .orderBy(desc(p.proposedAt))
    .limit(1);
  return found ?? null;
}

export type ApprovalProposal = NonNullable<Awaited<ReturnType<typeof findApproval>>>;

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
