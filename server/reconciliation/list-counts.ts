import { isUuid } from "#core/is-uuid.ts";
import { asc, eq, sql } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { adjustmentEvidence } from "../adjustments/schema.ts";
import { users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { custodyCounts } from "./schema.ts";

const c = custodyCounts;

const counters = alias(users, "counters");

const deciders = alias(users, "deciders");

/** Counts that wait for a second person, oldest first. */
export function listOpenCounts(db: Db | Tx, limit: number) {
  return selectCounts(db).where(eq(c.state, "open")).orderBy(asc(c.proposedAt)).limit(limit);
}

/** One count with its evidence; null when there is none. */
export async function findCount(db: Db | Tx, countId: string) {
  if (!isUuid(countId)) return null;
  const [found] = await selectCounts(db).where(eq(c.id, countId));
  return found ?? null;
}

export type EnteredCount = NonNullable<Awaited<ReturnType<typeof findCount>>>;

function selectCounts(db: Db | Tx) {
  return db
    .select({
      id: c.id,
      asset: c.asset,
      units: c.units,
      asOf: c.asOf,
      blockHeight: c.blockHeight,
      wallets: c.wallets,
      proposedBy: c.proposedBy,
      counterName: counters.name,
      proposedAt: c.proposedAt,
      state: c.state,
      deciderName: deciders.name,
      decidedAt: c.decidedAt,
      rejectionReason: c.rejectionReason,
      evidenceName: adjustmentEvidence.originalName,
      evidenceMediaType: adjustmentEvidence.mediaType,
      evidenceByteSize: adjustmentEvidence.byteSize,
      /** What the ledger says of that moment, now. */
      custodyUnits: sql<string>`(select units from custody_at(${c.asOf}) j where j.asset = ${c.asset})`,
    })
    .from(c)
    .innerJoin(counters, eq(counters.id, c.proposedBy))
    .innerJoin(adjustmentEvidence, eq(adjustmentEvidence.id, c.evidenceId))
    .leftJoin(deciders, eq(deciders.id, c.decidedBy))
    .$dynamic();
}
