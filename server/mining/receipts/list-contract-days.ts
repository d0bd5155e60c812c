import { usdMicros } from "#core/mining/maintenance.ts";
import { oneOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { type FeeState, feeStates } from "./find-receipt.ts";
import { asReference, referenceColumns } from "./network-reference.ts";

/** A day of one contract, as its list shows it. */
export interface ContractDay {
  day: string;
  ghs: bigint;
  creditSats: bigint;
  creditUsdMicros: bigint;
  feeSats: bigint;
  feeUsdMicros: bigint;
  feeState: FeeState;
  /** What corrections changed since. */
  correctedSats: bigint;
  servedPpm: bigint;
  referenceSats: bigint | null;
}

/** A contract's days, newest first. `before`: the day that the last page ended with. */
export async function listContractDays(
  db: Db | Tx,
  contractId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<ContractDay[]> {
  const rows = await readRows(
    db,
    sql`
    select d.day::text, d.ghs, d.credit_sats, d.fee_sats, coalesce(a.state, 'paid') as fee_state, r.served_ppm, r.btc_usd_e8,
           r.network_observed_at, r.difficulty, r.subsidy_sats, r.fees_per_block_sats,
           coalesce((select sum(x.change_sats) from mining_contract_corrections x
                      where x.contract_id = d.contract_id and x.day = d.day), 0) as corrected_sats
      from mining_contract_days d
      join mining_runs r on r.day = d.day
      left join maintenance_arrears a on a.contract_id = d.contract_id and a.day = d.day
     where d.contract_id = ${contractId}::uuid ${before === undefined ? sql`` : sql`and d.day < ${before}::date`}
     order by d.day desc limit ${limit}`,
    {
      day: text,
      ghs: units,
      creditSats: units,
      feeSats: units,
      feeState: oneOf(feeStates),
      servedPpm: units,
      btcUsdE8: units,
      correctedSats: units,
      ...referenceColumns,
    },
  );
  return rows.map((row) => ({
    day: row.day,
    ghs: row.ghs,
    creditSats: row.creditSats,
    creditUsdMicros: usdMicros(row.creditSats, row.btcUsdE8),
    feeSats: row.feeSats,
    feeUsdMicros: usdMicros(row.feeSats, row.btcUsdE8),
    feeState: row.feeState,
    correctedSats: row.correctedSats,
    servedPpm: row.servedPpm,
    referenceSats: asReference(row, row.ghs)?.sats ?? null,
  }));
}
