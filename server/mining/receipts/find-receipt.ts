import type { DayFigures } from "#core/mining/day-figures.ts";
import { usdMicros } from "#core/mining/maintenance.ts";
import {
  findRow,
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
import { dayFigureColumns } from "../days/day-figures.ts";
import {
  type Evidence,
  evidenceColumns,
  evidenceTables,
  listEvidenceOfDay,
  selectedEvidence,
} from "./list-evidence.ts";
import { asReference, networkHost, type Reference, referenceColumns } from "./network-reference.ts";

/** A day's fee: paid in the run, waiting for the balance, paid later, or lapsed with its contract. */
export const feeStates = ["paid", "open", "collected", "lapsed"] as const;
export type FeeState = (typeof feeStates)[number];

const receiptColumns = {
  contractId: text,
  customerId: text,
  day: text,
  planName: text,
  planVersion: number,
  startsOn: text,
  ghs: units,
  creditSats: units,
  feeSats: units,
  feeState: oneOf(feeStates),
  feeClosedAt: orNull(moment),
  /** Of one TH/s for one day. */
  maintenanceUsdMicros: units,
  priceId: text,
  btcUsdE8: units,
  priceObservedAt: moment,
  postedAt: orNull(moment),
  networkHost: orNull(text),
};

/** What one contract earned and owed for one UTC day, with everything that it follows from. */
export interface Receipt extends RowOf<typeof receiptColumns>, DayFigures {
  creditUsdMicros: bigint;
  feeUsdMicros: bigint;
  /** Of this contract's hashrate. Null: the network was not asked on that day. */
  reference: Reference | null;
  evidence: Evidence[];
  corrections: ReceiptCorrection[];
}

const correctionColumns = {
  reason: text,
  payoutSats: units,
  distributableSats: units,
  sharedGhs: units,
  /** The day's credit with this correction, and what that changed. */
  creditSats: units,
  changeSats: units,
  startedAt: moment,
};

/** A second page: the pool corrected its payout after the day was credited. */
export interface ReceiptCorrection extends RowOf<typeof correctionColumns> {
  payoutId: string;
  evidence: Evidence;
}

/** The receipt of a contract's day; null where there is none. With `customerId`: only of that customer's contracts. */
export async function findReceipt(
  db: Db | Tx,
  { contractId, day, customerId }: { contractId: string; day: string; customerId?: string },
): Promise<Receipt | null> {
  const row = await findRow(
    db,
    sql`
    select d.contract_id, d.customer_id, d.day::text, v.name as plan_name, v.version as plan_version, c.starts_on::text, d.ghs,
           d.credit_sats, d.fee_sats, coalesce(a.state, 'paid') as fee_state, a.closed_at as fee_closed_at,
           plan.maintenance_usd_micros, r.payout_sats, r.carried_sats, r.distributable_sats, r.delivered_ghs, r.active_ghs,
           r.shared_ghs, r.served_ppm, r.price_id, r.btc_usd_e8, r.price_observed_at, r.posted_at, r.network_observed_at,
           r.difficulty, r.subsidy_sats, r.fees_per_block_sats, ${networkHost}
      from mining_contract_days d
      join contracts c on c.id = d.contract_id
      join plan_versions v on v.id = c.plan_version_id
      join mining_runs r on r.day = d.day
      join mining_run_plans plan on plan.day = d.day and plan.plan_version_id = c.plan_version_id
      left join maintenance_arrears a on a.contract_id = d.contract_id and a.day = d.day
     where d.contract_id = ${contractId}::uuid and d.day = ${day}::date
       and (${customerId ?? null}::uuid is null or d.customer_id = ${customerId ?? null}::uuid)`,
    { ...receiptColumns, ...dayFigureColumns, ...referenceColumns },
  );
  if (!row) return null;
  const { networkObservedAt, difficulty, subsidySats, feesPerBlockSats, ...receipt } = row;
  return {
    ...receipt,
    creditUsdMicros: usdMicros(row.creditSats, row.btcUsdE8),
    feeUsdMicros: usdMicros(row.feeSats, row.btcUsdE8),
    reference: asReference(row, row.ghs),
    evidence: await listEvidenceOfDay(db, day),
    corrections: await listCorrections(db, contractId, day),
  };
}

async function listCorrections(
  db: Db | Tx,
  contractId: string,
  day: string,
): Promise<ReceiptCorrection[]> {
  const rows = await readRows(
    db,
    sql`select ${selectedEvidence}, p.correction_reason as reason, f.payout_sats, f.distributable_sats, f.shared_ghs, f.started_at,
               x.credit_sats, x.change_sats
          from mining_contract_corrections x
          join mining_corrections f on f.payout_id = x.payout_id
          join pool_payouts p on p.id = f.payout_id ${evidenceTables}
         where x.contract_id = ${contractId}::uuid and x.day = ${day}::date order by f.number`,
    { ...evidenceColumns, ...correctionColumns },
  );
  return rows.map(
    ({
      reason,
      payoutSats,
      distributableSats,
      sharedGhs,
      creditSats,
      changeSats,
      startedAt,
      ...evidence
    }) => ({
      payoutId: evidence.payoutId,
      reason,
      payoutSats,
      distributableSats,
      sharedGhs,
      creditSats,
      changeSats,
      startedAt,
      evidence,
    }),
  );
}
