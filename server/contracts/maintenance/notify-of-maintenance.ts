import { sendNoticeLater } from "#server/notices/send-notice.ts";
import { flag, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { notifyOfMaintenanceLater } from "./announce-maintenance.ts";

/** So many are told in one transaction. */
const chunk = 500;

/**
 * Tells the next customers who run a version what its maintenance will cost, or that the change is taken back; then those
 * after them. Whoever bought after the announcement saw the change before buying.
 */
export async function notifyOfMaintenance(
  db: Db,
  { changeId, after }: { changeId: string; after: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await readRows(
      tx,
      sql`
      select c.customer_id, v.name as plan_name, m.effective_from::text, m.usd_micros, m.reason,
             maintenance_on(v.id, m.effective_from - 1) as before, m.withdrawn_at is not null as withdrawn
        from maintenance_changes m
        join plan_versions v on v.id = m.plan_version_id
        join contracts c on c.plan_version_id = v.id and c.last_day is null and c.bought_at <= m.announced_at
       where m.id = ${changeId} and (${after}::uuid is null or c.customer_id > ${after}::uuid)
       group by c.customer_id, v.id, m.id
       order by c.customer_id
       limit ${chunk}`,
      {
        customerId: text,
        planName: text,
        effectiveFrom: text,
        usdMicros: units,
        before: units,
        reason: text,
        withdrawn: flag,
      },
    );
    for (const row of rows) {
      await sendNoticeLater(tx, {
        customerId: row.customerId,
        notice: {
          kind: row.withdrawn ? "maintenance-change-withdrawn" : "maintenance-change",
          changeId,
          customerId: row.customerId,
          plan: row.planName,
          effectiveFrom: row.effectiveFrom,
          fromUsdMicros: row.before,
          toUsdMicros: row.usdMicros,
          reason: row.reason,
        },
      });
    }
    const last = rows.at(-1);
    if (last && rows.length === chunk) {
      await notifyOfMaintenanceLater(tx, { changeId, after: last.customerId });
    }
  });
}
