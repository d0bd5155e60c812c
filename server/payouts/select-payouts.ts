import { aliasedTable, eq, getTableColumns, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { poolPayouts, poolStatements, pools } from "./schema.ts";

const proposalAct = aliasedTable(auditLog, "proposal_act");
const decisionAct = aliasedTable(auditLog, "decision_act");
const proposer = aliasedTable(users, "proposer");
const decider = aliasedTable(users, "decider");

export function selectPayouts(db: Db | Tx) {
  return db
    .select({
      ...getTableColumns(poolPayouts),
      poolName: pools.name,
      statementName: poolStatements.name,
      statementSource: poolStatements.source,
      statementSha256: sql<string | null>`encode(${poolStatements.sha256}, 'hex')`,
      proposerId: proposalAct.operatorId,
      proposedBy: proposer.name,
      decidedBy: decider.name,
      /** Another payout that is recorded in its place. */
      correctedBy: sql<string | null>`(select c.id from pool_payouts c
        where c.corrects = ${poolPayouts.id} and c.state = 'recorded')`,
    })
    .from(poolPayouts)
    .innerJoin(pools, eq(pools.id, poolPayouts.poolId))
    .leftJoin(poolStatements, eq(poolStatements.id, poolPayouts.statementId))
    .leftJoin(proposalAct, eq(proposalAct.id, poolPayouts.proposalActionId))
    .leftJoin(proposer, eq(proposer.id, proposalAct.operatorId))
    .leftJoin(decisionAct, eq(decisionAct.id, poolPayouts.decisionActionId))
    .leftJoin(decider, eq(decider.id, decisionAct.operatorId))
    .$dynamic();
}

export type Payout = Awaited<ReturnType<typeof selectPayouts>>[number];
