import { moment, type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = { effectiveFrom: text, usdMicros: units, reason: text, announcedAt: moment };
/** A change of a plan's maintenance fee that has been announced. */
export type MaintenanceChange = RowOf<typeof columns>;

/** What one TH/s costs a day under a version: as it was published, and every change announced since, oldest first. */
export async function listMaintenance(
  db: Db | Tx,
  planVersionId: string,
): Promise<MaintenanceChange[]> {
  return readRows(
    db,
    sql`select effective_from::text, usd_micros, reason, announced_at
          from maintenance_changes where plan_version_id = ${planVersionId} and withdrawn_at is null
         order by effective_from`,
    columns,
  );
}
