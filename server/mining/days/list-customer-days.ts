import { number, type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { asReference, referenceColumns } from "../receipts/network-reference.ts";

const columns = {
  day: text,
  contracts: number,
  ghs: units,
  creditSats: units,
  creditUsdMicros: units,
  /** Due for the day, without what lapsed with its contract, and of that what the balance covered in the run. */
  feeSats: units,
  paidFeeSats: units,
  paidFeeUsdMicros: units,
  correctedSats: units,
  servedPpm: units,
  btcUsdE8: units,
};

/** A day of all of a customer's contracts. */
export interface CustomerDay extends RowOf<typeof columns> {
  referenceSats: bigint | null;
}

/** A customer's days from one to another, both included, oldest first; days without a contract are missing. */
export async function listCustomerDays(
  db: Db | Tx,
  customerId: string,
  { from, to }: { from: string; to: string },
): Promise<CustomerDay[]> {
  const rows = await readRows(
    db,
    sql`
    select d.day::text, d.contracts, d.ghs, d.credit_sats, d.credit_usd_micros, d.fee_sats - coalesce(l.fee_sats, 0) as fee_sats,
           d.paid_fee_sats, d.paid_fee_usd_micros, coalesce(x.change_sats, 0) as corrected_sats, r.served_ppm, r.btc_usd_e8,
           r.network_observed_at, r.difficulty, r.subsidy_sats, r.fees_per_block_sats
      from mining_customer_days d
      join mining_runs r on r.day = d.day
      left join (select day, sum(fee_sats) as fee_sats from maintenance_arrears
                  where customer_id = ${customerId}::uuid and state = 'lapsed' group by day) l on l.day = d.day
      left join (select day, sum(change_sats + lost_sats) as change_sats from mining_customer_corrections
                  where customer_id = ${customerId}::uuid group by day) x on x.day = d.day
     where d.customer_id = ${customerId}::uuid and d.day between ${from}::date and ${to}::date
     order by d.day`,
    { ...columns, ...referenceColumns },
  );
  return rows.map(({ networkObservedAt, difficulty, subsidySats, feesPerBlockSats, ...day }) => {
    const network = { networkObservedAt, difficulty, subsidySats, feesPerBlockSats };
    return { ...day, referenceSats: asReference(network, day.ghs)?.sats ?? null };
  });
}
