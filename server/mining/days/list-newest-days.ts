import { sql } from "#server/platform/sql.ts";
import { preparedRows } from "../../platform/database/prepared.ts";
import { type RowOf, text, units } from "../../platform/database/read-rows.ts";
import type { Db, Tx } from "../../platform/database.ts";

const columns = { day: text, ghs: units, minedSats: units, feeSats: units, btcUsdE8: units };

/** A day of all of a customer's contracts, as it counts now: with corrections, without fees that lapsed. */
export type EarnedDay = RowOf<typeof columns>;

/** As many days back as the longest month has, however early in the day yesterday is settled. */
export const newestDays = 32;

/** A customer's days with a contract after a day, newest first. */
export async function listNewestDays(
  db: Db | Tx,
  customerId: string,
  after: string,
): Promise<EarnedDay[]> {
  return selectDays(db, { customerId, after });
}

const ofCustomer = sql`customer_id = ${sql.placeholder("customerId")}::uuid and day > ${sql.placeholder("after")}::date`;
const selectDays = preparedRows(
  "mining_newest_days",
  sql`
    select d.day::text, d.ghs, r.btc_usd_e8, d.credit_sats + coalesce(x.sats, 0) as mined_sats,
           d.fee_sats - coalesce(l.sats, 0) as fee_sats
      from (select day, ghs, credit_sats, fee_sats from mining_customer_days where ${ofCustomer}) d
      join (select day, btc_usd_e8 from mining_runs where day > ${sql.placeholder("after")}::date) r on r.day = d.day
      left join (select day, sum(change_sats + lost_sats) as sats from mining_customer_corrections
                  where ${ofCustomer} group by day) x on x.day = d.day
      left join (select day, sum(fee_sats) as sats from maintenance_arrears
                  where ${ofCustomer} and state = 'lapsed' group by day) l on l.day = d.day
     order by d.day desc`,
  columns,
);
