import { coins } from "#core/asset.ts";
import { sendNoticeLater } from "#server/notices/send-notice.ts";
import { number, oneOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const atOnce = 200;

/** Tells customers whose contracts have ended how, and what became of the price of days not served. Once each. */
export async function notifyOfEndings(db: Db, now: Date): Promise<void> {
  while ((await notifySome(db, now.toISOString())) === atOnce);
}

async function notifySome(db: Db, at: string): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await readRows(
      tx,
      sql`
      with told as (
        update contract_endings set told_at = ${at}::timestamptz
         where contract_id in (select contract_id from contract_endings where settled_at is not null and told_at is null
                                order by contract_id limit ${atOnce} for update skip locked)
        returning *
      )
      select told.contract_id, told.customer_id, told.reason, told.served_days, told.refunded_units, told.forfeited_units, v.name,
             c.last_day::text, c.term_days, c.coin
        from told join contracts c on c.id = told.contract_id join plan_versions v on v.id = c.plan_version_id`,
      {
        contractId: text,
        customerId: text,
        reason: oneOf(["served", "unpaid-maintenance"]),
        servedDays: number,
        refundedUnits: units,
        forfeitedUnits: units,
        name: text,
        lastDay: text,
        termDays: number,
        coin: oneOf(coins),
      },
    );
    for (const row of rows) {
      await sendNoticeLater(tx, {
        customerId: row.customerId,
        notice: {
          kind: "contract-ended",
          contractId: row.contractId,
          plan: row.name,
          reason: row.reason,
          lastDay: row.lastDay,
          servedDays: row.servedDays,
          termDays: row.termDays,
          asset: row.coin,
          refundedUnits: row.refundedUnits,
          forfeitedUnits: row.forfeitedUnits,
        },
      });
    }
    return rows.length;
  });
}
