import { type Coin, coins } from "#core/asset.ts";
import { sql } from "#server/platform/sql.ts";
import { preparedRows } from "../../platform/database/prepared.ts";
import { orNull, units } from "../../platform/database/read-rows.ts";
import type { Db, Tx } from "../../platform/database.ts";

/** What mining came to for a customer so far, all contracts together. */
export interface MiningTotals {
  minedSats: bigint;
  /** Maintenance that was paid, late or not, and inactivity fees. */
  feesSats: bigint;
  /** Mined less fees in millionths of a dollar, each day at its own price. */
  profitUsdMicros: bigint;
  /** Maintenance that waits for the balance. */
  unpaidSats: bigint;
  /** What was paid for contracts, less what was paid back, in the coins that were paid; only those that were. */
  paidUnits: Partial<Record<Coin, bigint>>;
  /** The same in dollars, as each price was. */
  paidUsdCents: bigint;
}

/**
 * Reads a customer's totals from rows that hold them already: the newest day has what all days came to. PostgreSQL keeps
 * them equal to the ledger (`mining_transfers_are_explained`).
 */
export async function findMiningTotals(db: Db | Tx, customerId: string): Promise<MiningTotals> {
  const [row] = await selectTotals(db, { customerId });
  if (!row) throw new Error("no totals");
  const { paidBtc, paidEth, paidUsdt, ...totals } = row;
  const paid = { BTC: paidBtc, ETH: paidEth, USDT: paidUsdt };
  const paidUnits = Object.fromEntries(
    Object.entries(paid).filter(([, paidIn]) => paidIn !== null),
  );
  return { ...totals, paidUnits };
}

const ofCustomer = sql`customer_id = ${sql.placeholder("customerId")}::uuid`;
const paidIn = coins.map((coin) =>
  sql.raw(`sum(kept_units) filter (where coin = '${coin}') as paid_${coin.toLowerCase()}`),
);

const selectTotals = preparedRows(
  "mining_totals",
  sql`
    select coalesce(d.credited_sats, 0) + fixed.sats as mined_sats, coalesce(d.fees_sats, 0) + late.sats + idle.sats as fees_sats,
           coalesce(d.credited_usd_micros - d.fees_usd_micros, 0) + fixed.usd_micros - late.usd_micros - idle.usd_micros as profit_usd_micros,
           late.open_sats as unpaid_sats, bought.*
      from (select coalesce(sum(change_sats + lost_sats), 0) as sats, coalesce(sum(usd_micros), 0) as usd_micros
              from mining_customer_corrections where ${ofCustomer}) fixed
     cross join (select coalesce(sum(fee_sats) filter (where state = 'collected'), 0) as sats,
                        coalesce(sum(usd_micros) filter (where state = 'collected'), 0) as usd_micros,
                        coalesce(sum(fee_sats) filter (where state = 'open'), 0) as open_sats
                   from maintenance_arrears where ${ofCustomer}) late
     cross join (select coalesce(sum(fee_sats), 0) as sats, coalesce(max(total_usd_micros), 0) as usd_micros
                   from inactivity_fees where ${ofCustomer}) idle
     cross join (
       select ${sql.join(paidIn, sql`, `)}, coalesce(trunc(sum(kept_units * usd_cents / units)), 0) as paid_usd_cents
         from (select c.coin, c.units, c.usd_cents, c.units - coalesce(e.refunded_units, 0) as kept_units
                 from contracts c left join contract_endings e on e.contract_id = c.id
                where c.${ofCustomer} and c.end_reason is distinct from 'given-back') each) bought
      left join lateral (select * from mining_customer_days where ${ofCustomer} order by day desc limit 1) d on true`,
  {
    minedSats: units,
    feesSats: units,
    profitUsdMicros: units,
    unpaidSats: units,
    paidBtc: orNull(units),
    paidEth: orNull(units),
    paidUsdt: orNull(units),
    paidUsdCents: units,
  },
);
