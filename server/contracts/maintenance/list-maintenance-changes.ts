import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** What one TH/s costs a day under a version, in millionths of a dollar, with what is announced. */
export async function maintenanceOn(db: Db | Tx, versionId: string, day: string): Promise<bigint> {
  const { rows } = await db.execute<{ fee: string }>(
    sql`select maintenance_on(${versionId}, ${day}::date) as fee`,
  );
  return BigInt(rows[0]?.fee ?? 0);
}

export interface MaintenanceChange {
  id: string;
  effectiveFrom: string;
  usdMicros: bigint;
  reason: string;
  announcedAt: Date;
  withdrawnAt: Date | null;
  /** Null: on the server itself. */
  by: string | null;
}

/** What was announced for a version, the latest day first. */
export async function listMaintenanceChanges(
  db: Db | Tx,
  versionId: string,
): Promise<MaintenanceChange[]> {
  const { rows } = await db.execute<{
    id: string;
    effective_from: string;
    usd_micros: string;
    reason: string;
    announced_at: string;
    withdrawn_at: string | null;
    by: string | null;
  }>(sql`
    select m.id, m.effective_from::text, m.usd_micros, m.reason, m.announced_at, m.withdrawn_at, u.name as by
      from maintenance_changes m
      join audit_log a on a.id = m.action_id
      left join users u on u.id = a.operator_id
     where m.plan_version_id = ${versionId}
     order by m.effective_from desc, m.announced_at desc limit 100`);
  return rows.map((row) => ({
    id: row.id,
    effectiveFrom: row.effective_from,
    usdMicros: BigInt(row.usd_micros),
    reason: row.reason,
    announcedAt: new Date(row.announced_at),
    withdrawnAt: row.withdrawn_at === null ? null : new Date(row.withdrawn_at),
    by: row.by,
  }));
}

export interface VersionUse {
  versionId: string;
  /** Contracts that have not ended, those that have not begun included. */
  contracts: number;
  ghs: bigint;
}

/** How much runs under each version of each plan. */
export async function listVersionUse(db: Db | Tx): Promise<VersionUse[]> {
  const { rows } = await db.execute<{
    id: string;
    contracts: number;
    ghs: string;
  }>(sql`
    select plan_version_id as id, contracts::int as contracts, ghs from sold_hashrate where contracts > 0`);
  return rows.map(({ id, contracts, ghs }) => ({ versionId: id, contracts, ghs: BigInt(ghs) }));
}

/** How many customers hold contracts of a version that have not ended: those whom a change of its maintenance concerns. */
export async function countHolders(db: Db | Tx, versionId: string): Promise<number> {
  const { rows } = await db.execute<{ customers: number }>(sql`
    select count(distinct customer_id)::int as customers from contracts
     where plan_version_id = ${versionId}::uuid and last_day is null`);
  return rows[0]?.customers ?? 0;
}
