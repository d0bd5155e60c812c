import { desc, eq, sql } from "drizzle-orm";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { maintenanceChanges } from "./schema.ts";

/** What one TH/s costs a day under a version, in millionths of a dollar, with what is announced. */
export async function maintenanceOn(db: Db | Tx, versionId: string, day: string): Promise<bigint> {
  const { rows } = await db.execute<{ fee: string }>(
    sql`select maintenance_on(${versionId}, ${day}::date) as fee`,
  );
  return BigInt(rows[0]?.fee ?? 0);
}

/** What was announced for a version, the latest day first. */
export function listMaintenanceChanges(db: Db | Tx, versionId: string) {
  const m = maintenanceChanges;
  return db
    .select({
      id: m.id,
      effectiveFrom: m.effectiveFrom,
      usdMicros: m.usdMicros,
      reason: m.reason,
      announcedAt: m.announcedAt,
      withdrawnAt: m.withdrawnAt,
      by: users.name,
    })
    .from(m)
    .innerJoin(auditLog, eq(auditLog.id, m.actionId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(eq(m.planVersionId, versionId))
    .orderBy(desc(m.effectiveFrom), desc(m.announcedAt))
    .limit(100);
}

export interface VersionUse {
  versionId: string;
  /** Contracts that have not ended, those that have not begun included. */
  contracts: number;
  customers: number;
  ghs: bigint;
}

/** How much runs under each version of each plan. */
export async function listVersionUse(db: Db | Tx): Promise<VersionUse[]> {
  const { rows } = await db.execute<{
    id: string;
    contracts: number;
    customers: number;
    ghs: string;
  }>(sql`
    select plan_version_id as id, count(*)::int as contracts, count(distinct customer_id)::int as customers, sum(ghs) as ghs
      from contracts where last_day is null group by plan_version_id`);
  return rows.map(({ id, contracts, customers, ghs }) => ({
    versionId: id,
    contracts,
    customers,
    ghs: BigInt(ghs),
  }));
}
