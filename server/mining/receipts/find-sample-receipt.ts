import { creditSats } from "#core/mining/credit.ts";
import { maintenanceSats, usdMicros } from "#core/mining/maintenance.ts";
import {
  findRow,
  moment,
  number,
  orNull,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { dayFigureColumns } from "../days/day-figures.ts";
import type { Receipt } from "./find-receipt.ts";
import { listEvidenceOfDay } from "./list-evidence.ts";
import { asReference, networkHost, referenceColumns } from "./network-reference.ts";

/** A receipt that shows no customer: of so much hashrate, not of a contract. */
export type SampleReceipt = Omit<Receipt, "contractId" | "customerId" | "startsOn" | "priceId"> & {
  feeState: "paid";
};

/** 100 TH/s, or 1 TH/s where less than that is shared by all. */
const sizesGhs = [100_000n, 1_000n];

/**
 * Reads the newest posted day that a pool paid and nobody corrected since, and works out what each 100 TH/s earned on it.
 * No contract is read: the day's own figures are everybody's. Null before the first such day.
 */
export async function findSampleReceipt(db: Db | Tx): Promise<SampleReceipt | null> {
  const run = await findRow(
    db,
    sql`
    select r.day::text, r.payout_sats, r.carried_sats, r.distributable_sats, r.delivered_ghs, r.active_ghs, r.shared_ghs, r.served_ppm,
           r.btc_usd_e8, r.price_observed_at, r.posted_at, r.network_observed_at, r.difficulty, r.subsidy_sats, r.fees_per_block_sats,
           ${networkHost}, plan.name as plan_name, plan.version as plan_version, plan.maintenance_usd_micros
      from mining_runs r
      join lateral (
        select v.name, v.version, m.maintenance_usd_micros
          from mining_run_plans m join plan_versions v on v.id = m.plan_version_id
         where m.day = r.day order by v.published_at desc, v.id limit 1) plan on true
     where r.state = 'posted' and r.payout_sats > 0 and not exists (select from mining_corrections f where f.day = r.day)
     order by r.day desc limit 1`,
    { ...columns, ...dayFigureColumns, ...referenceColumns },
  );
  const ghs = run && sizesGhs.find((size) => size <= run.sharedGhs);
  if (!run || !ghs) return null;
  const { networkObservedAt, difficulty, subsidySats, feesPerBlockSats, ...figures } = run;
  const credit = creditSats(run.distributableSats, ghs, run.sharedGhs);
  const fee = maintenanceSats(ghs, run.maintenanceUsdMicros, run.btcUsdE8);
  const evidence = await listEvidenceOfDay(db, run.day);
  return {
    ...figures,
    ghs,
    creditSats: credit,
    creditUsdMicros: usdMicros(credit, run.btcUsdE8),
    feeSats: fee,
    feeUsdMicros: usdMicros(fee, run.btcUsdE8),
    feeState: "paid",
    feeClosedAt: null,
    reference: asReference(run, ghs),
    // A file's name can say whose account at the pool it is.
    evidence: evidence.map((each) => ({ ...each, statementName: null })),
    corrections: [],
  };
}

const columns = {
  day: text,
  planName: text,
  planVersion: number,
  maintenanceUsdMicros: units,
  btcUsdE8: units,
  priceObservedAt: moment,
  postedAt: moment,
  networkHost: orNull(text),
};
