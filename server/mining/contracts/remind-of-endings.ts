import type { Coin } from "#core/asset.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { toRows } from "#server/ledger/to-rows.ts";
import { sendNoticeLater } from "#server/notices/send-notice.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { projectedLastDay } from "../queries.ts";

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
    const rows = await toRows<EndingContract>(
      tx,
      sql`
      with newest as (
        select day, cumulative_served_ppm from mining_runs where state = 'posted' order by day desc limit 1
      )
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
    );
    for (const row of rows) {
      await sendNoticeLater(tx, {
        customerId: row.customer_id,
        notice: {
          kind: "contract-ending",
          contractId: row.id,
          plan: row.name,
          slug: row.slug,
          quantity: Number(row.quantity),
          coin: row.coin,
          lastDay: row.last_day,
        },
      });
    }
    return rows.length === atOnce ? (rows.at(-1)?.id ?? null) : null;
  });
}

interface EndingContract {
  id: string;
  customer_id: string;
  name: string;
  slug: string;
  quantity: number;
  coin: Coin;
  last_day: string;
}
