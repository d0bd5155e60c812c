import { sendNoticeLater } from "#server/notices/send-notice.ts";
import { number, oneOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { awaitedByClock, clockLeftMs, neededToStop } from "./awaited-day.ts";

const atOnce = 200;

const hour = 3_600_000;

/**
 * Writes the notices of clocks: at the start, and when they have run 24 and 48 hours. Who was to be told two things at once,
 * because nobody worked meanwhile, is told the later one.
 */
export async function notifyOfGracePeriods(db: Db, now: Date): Promise<void> {
  while ((await notifySome(db, now)) === atOnce);
}

async function notifySome(db: Db, now: Date): Promise<number> {
  const at = sql`${now.toISOString()}::timestamptz`;
  return db.transaction(async (tx) => {
    const rows = await readRows(
      tx,
      sql`
      with due as (
        select id, left_ms, 1 + (left_ms <= ${48 * hour})::integer + (left_ms <= ${24 * hour})::integer as nth
          from (select k.id, ${clockLeftMs(at)} as left_ms
                  from maintenance_clocks k ${awaitedByClock(at)}
                 where k.state = 'running' and k.started_at <= ${at}) running
      ), told as (
        update maintenance_clocks k set notices = due.nth from due
         where k.id in (select k.id from maintenance_clocks k join due on due.id = k.id
                         where k.state = 'running' and k.notices < due.nth order by k.id limit ${atOnce} for update of k skip locked)
           and due.id = k.id
        returning k.*, due.left_ms
      )
      select told.id, told.customer_id, told.notices, greatest(trunc(told.left_ms), 0) as left_ms, v.name, v.termination, coalesce(b.balance, 0) as available,
             (select coalesce(sum(fee_sats), 0) from maintenance_arrears a where a.contract_id = told.contract_id and a.state = 'open') as unpaid,
             greatest(${neededToStop(sql`told`)} - coalesce(b.balance, 0), 0) as missing
        from told join contracts c on c.id = told.contract_id join plan_versions v on v.id = c.plan_version_id
        left join ledger_accounts b on b.owner_id = told.customer_id and b.account = 'available' and b.asset = 'BTC'`,
      {
        id: text,
        customerId: text,
        notices: number,
        leftMs: number,
        name: text,
        termination: oneOf(["refund-unserved", "forfeit"]),
        available: units,
        unpaid: units,
        missing: units,
      },
    );
    for (const row of rows) {
      await sendNoticeLater(tx, {
        customerId: row.customerId,
        notice: {
          kind: "maintenance-clock",
          clockId: row.id,
          nth: row.notices,
          plan: row.name,
          unpaidSats: row.unpaid,
          missingSats: row.missing,
          availableSats: row.available,
          expiresAt: new Date(now.getTime() + row.leftMs).toISOString(),
          termination: row.termination,
        },
      });
    }
    return rows.length;
  });
}
