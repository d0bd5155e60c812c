import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { desc, eq } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { Db } from "../platform/database.ts";
import { chainDeepReorgs } from "./schema.ts";

const d = chainDeepReorgs;
const proposer = alias(users, "proposer");
const decider = alias(users, "decider");

/** What people said of chains that have left settled blocks, newest first. */
export function listDeepReorgs(db: Db, chain: WalletChain, limit: number) {
  return db
    .select({
      id: d.id,
      state: d.state,
      reason: d.reason,
      oldHeight: d.oldHeight,
      oldHash: d.oldHash,
      newHash: d.newHash,
      forkHeight: d.forkHeight,
      proposedBy: d.proposedBy,
      proposedAt: d.proposedAt,
      proposerName: proposer.name,
      decidedAt: d.decidedAt,
      deciderName: decider.name,
    })
    .from(d)
    .innerJoin(proposer, eq(proposer.id, d.proposedBy))
    .leftJoin(decider, eq(decider.id, d.decidedBy))
    .where(eq(d.chain, chain))
    .orderBy(desc(d.proposedAt), desc(d.id))
    .limit(limit);
}

export type DeepReorg = Awaited<ReturnType<typeof listDeepReorgs>>[number];
