import { coins } from "#core/asset.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { sendNoticeLater } from "#server/notices/send-notice.ts";
import { number, oneOf, readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { newestRun, projectedLastDay } from "./projected-last-day.ts";

/** So long before its last day a customer is reminded of a contract; shorter ones were ordered too lately for it. */
export const remindedDaysAhead = 7;
const shortestReminded = 14;
const atOnce = 200;

/** Reminds customers, once each, of contracts that end within seven days, with a way to order again. */
export async function remindOfEndings(db: Db, now: Date): Promise<void> {
  let after: string | null = "00000000-0000-0000-0000-000000000000";
  while (after !== null) after = await remindSome(db, utcDay(now), after);
}

/** Contracts in the order of their ids: those whose notice is only queued are still found, and told once by its key. */
async function remindSome(db: Db, today: string, after: string): Promise<string | null> {
  return db.transaction(async (tx) => {
    const until = addDays(today, remindedDaysAhead);
    const rows = await readRows(
      tx,
      sql`
      with ${newestRun}
      select c.id, c.customer_id, v.name, p.slug, c.quantity, c.coin, ends.last_day::text
        from contracts c
        join plan_versions v on v.id = c.plan_version_id
        join plans p on p.id = v.plan_id
        left join newest on true
        left join mining_runs at_start on at_start.day = c.starts_on - 1
       cross join lateral (select ${projectedLastDay} as last_day) ends
       where c.last_day is null and c.planned_last_day <= ${until}::date and c.term_days >= ${shortestReminded}
         and ends.last_day between ${today}::date and ${until}::date and c.id > ${after}::uuid
         and not exists (select from notices n where n.key = 'contract-ending:' || c.id)
       order by c.id limit ${atOnce}`,
      {
        id: text,
        customerId: text,
        name: text,
        slug: text,
        quantity: number,
        coin: oneOf(coins),
        lastDay: text,
      },
    );
    for (const row of rows) {
      await sendNoticeLater(tx, {
        customerId: row.customerId,
        notice: {
          kind: "contract-ending",
          contractId: row.id,
          plan: row.name,
          slug: row.slug,
          quantity: row.quantity,
          coin: row.coin,
          lastDay: row.lastDay,
        },
      });
    }
    return rows.length === atOnce ? (rows.at(-1)?.id ?? null) : null;
  });
}
