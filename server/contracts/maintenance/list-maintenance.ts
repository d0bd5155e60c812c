import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** A change of a plan's maintenance that has been announced. */
export interface MaintenanceChange {
  effectiveFrom: string;
  usdMicros: bigint;
  reason: string;
  announcedAt: Date;
}

/** What one TH/s costs a day under a version: as it was published, and every change announced since, oldest first. */
export async function listMaintenance(
  db: Db | Tx,
  planVersionId: string,
): Promise<MaintenanceChange[]> {
  const { rows } = await db.execute<Record<keyof MaintenanceChange, string>>(sql`
    select effective_from::text as "effectiveFrom", usd_micros as "usdMicros", reason, announced_at as "announcedAt"
      from maintenance_changes where plan_version_id = ${planVersionId} and withdrawn_at is null
     order by effective_from`);
  return rows.map((row) => ({
    effectiveFrom: row.effectiveFrom,
    usdMicros: BigInt(row.usdMicros),
    reason: row.reason,
    announcedAt: new Date(row.announcedAt),
  }));
}
