import { and, asc, desc, eq, isNull, ne } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { custodyExplanations, custodyHoldings } from "./schema.ts";

const h = custodyHoldings;

/** Differences that nobody has explained, oldest first. */
export function listOpenDifferences(db: Db | Tx, limit: number) {
  return selectHoldings(db).where(unexplained).orderBy(asc(h.recordedAt), asc(h.id)).limit(limit);
}

export type RecordedHolding = Awaited<ReturnType<typeof listOpenDifferences>>[number];

/** What was recorded last, newest first, with what was said of the differences. */
export function listHoldings(db: Db | Tx, limit: number): Promise<RecordedHolding[]> {
  return selectHoldings(db).orderBy(desc(h.asOf), desc(h.id)).limit(limit);
}

const unexplained = and(ne(h.units, h.custodyUnits), isNull(custodyExplanations.holdingId));

function selectHoldings(db: Db | Tx) {
  const explainers = alias(users, "explainers");
  return db
    .select({
      id: h.id,
      asset: h.asset,
      units: h.units,
      custodyUnits: h.custodyUnits,
      asOf: h.asOf,
      blockHeight: h.blockHeight,
      source: h.source,
      countId: h.countId,
      recordedAt: h.recordedAt,
      explanation: custodyExplanations.words,
      explainedAt: custodyExplanations.explainedAt,
      explainerName: explainers.name,
    })
    .from(h)
    .leftJoin(custodyExplanations, eq(custodyExplanations.holdingId, h.id))
    .leftJoin(explainers, eq(explainers.id, custodyExplanations.operatorId))
    .$dynamic();
}
