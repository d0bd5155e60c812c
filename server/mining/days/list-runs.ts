import {
  moment,
  number,
  oneOf,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { asReference, type Reference, referenceColumns } from "../receipts/network-reference.ts";
import { dayFigureColumns } from "./day-figures.ts";

const columns = {
  ...dayFigureColumns,
  day: text,
  state: oneOf(["posting", "posted"]),
  contracts: number,
  customers: number,
  btcUsdE8: units,
  priceId: text,
  priceObservedAt: moment,
  creditedSats: units,
  /** The shares of customers who could not be posted yet. */
  reservedSats: units,
  operatorShareSats: orNull(units),
  remainderSats: orNull(units),
  feesDueSats: orNull(units),
  feesPaidSats: orNull(units),
  inactivitySats: orNull(units),
  startedAt: moment,
  postedAt: orNull(moment),
  /** The act of staff who posted it; null: automatically. */
  actionId: orNull(text),
  /** What corrections changed since for customers, for the operator, and what could not be taken back. */
  corrections: number,
  customersChangeSats: units,
  operatorChangeSats: units,
  lostSats: units,
};

/** A run as the console lists it. Sums are null while it is being posted. */
export interface Run extends RowOf<typeof columns> {
  /** Of all the hashrate that was delivered. */
  reference: Reference | null;
}

/** Runs, newest day first. `before`: the day that the last page ended with. */
export async function listRuns(
  db: Db | Tx,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Run[]> {
  const older = before === undefined ? sql`` : sql`where r.day < ${before}::date`;
  return selectRuns(db, sql`${older} order by r.day desc limit ${limit}`);
}

/** Runs `r` as a clause after `from` says. */
export async function selectRuns(db: Db | Tx, which: ReturnType<typeof sql>): Promise<Run[]> {
  const rows = await readRows(
    db,
    sql`
    select r.day::text, r.state, r.payout_sats, r.carried_sats, r.distributable_sats, r.delivered_ghs, r.active_ghs, r.shared_ghs,
           r.served_ppm, r.contracts, r.customers, r.btc_usd_e8, r.price_id, r.price_observed_at, r.credited_sats, r.reserved_sats,
           r.operator_share_sats, r.remainder_sats, r.fees_due_sats, r.fees_paid_sats, r.inactivity_sats, r.started_at, r.posted_at,
           r.action_id, r.network_observed_at, r.difficulty, r.subsidy_sats, r.fees_per_block_sats, f.corrections,
           f.customers_change_sats, f.operator_change_sats, f.lost_sats
      from mining_runs r cross join lateral (
        select count(*) as corrections, coalesce(sum(customers_change_sats), 0) as customers_change_sats,
               coalesce(sum(operator_change_sats), 0) as operator_change_sats, coalesce(sum(lost_sats), 0) as lost_sats
          from mining_corrections f where f.day = r.day) f ${which}`,
    { ...columns, ...referenceColumns },
  );
  return rows.map(({ networkObservedAt, difficulty, subsidySats, feesPerBlockSats, ...run }) => {
    const network = { networkObservedAt, difficulty, subsidySats, feesPerBlockSats };
    return { ...run, reference: asReference(network, run.deliveredGhs) };
  });
}
