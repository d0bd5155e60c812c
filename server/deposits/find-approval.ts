import { and, desc, eq, inArray, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { depositApprovals } from "./schema.ts";

const p = depositApprovals;
const proposer = alias(users, "proposer");
const decider = alias(users, "decider");

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
      state: sql<"open" | "confirmed">`${p.state}`,
      proposedBy: p.proposedBy,
      proposedAt: p.proposedAt,
      proposerName: proposer.name,
      decidedAt: p.decidedAt,
      deciderName: decider.name,
    })
    .from(p)
    .innerJoin(proposer, eq(proposer.id, p.proposedBy))
    .leftJoin(decider, eq(decider.id, p.decidedBy))
    .where(and(eq(p.depositId, depositId), inArray(p.state, ["open", "confirmed"])))
    .orderBy(desc(p.proposedAt))
    .limit(1);
  return found ?? null;
}

export type ApprovalProposal = NonNullable<Awaited<ReturnType<typeof findApproval>>>;
