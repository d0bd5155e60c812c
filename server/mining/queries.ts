import type { Coin } from "#core/asset.ts";
import type { DayFigures } from "#core/mining/day-figures.ts";
import { usdMicros } from "#core/mining/maintenance.ts";
import { referenceSats } from "#core/mining/reference.ts";
import type { DigestEvery } from "#core/notice-events.ts";
import { type SQL, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** A contract with all that it has earned and cost, from its newest receipt. */
export interface ContractWithTotals {
  contractId: string;
  planName: string;
  planVersionId: string;
  ghs: bigint;
  quantity: number;
  usdCents: bigint;
  coin: Coin;
  units: bigint;
  boughtAt: Date;
  coolingOffUntil: Date | null;
  startsOn: string;
  plannedLastDay: string;
  lastDay: string | null;
  endReason: "served" | "unpaid-maintenance" | "given-back" | null;
  termDays: number;
  /** Whole days that were served so far, and the millionths of a day beyond, worked out until `countedUntil`. */
  servedDays: number;
  servedPpm: bigint;
  /** The last UTC day that is worked out; null before the first. */
  countedUntil: string | null;
  /** When it ends if everything is delivered from now on; later than planned by what downtime took. Null once it has ended. */
  projectedLastDay: string | null;
  /** With corrections. */
  creditedSats: bigint;
  creditedUsdMicros: bigint;
  /** Fees that were paid, those paid late included. */
  feesSats: bigint;
  feesUsdMicros: bigint;
  /** Fees that wait for the balance. */
  unpaidSats: bigint;
  /** What became of the price of days that were not served. */
  refundedUnits: bigint | null;
  forfeitedUnits: bigint | null;
}

/**
 * When a contract that runs ends if everything is delivered from now on: a term of SQL over the contract `c`, the last day
 * that is worked out, `newest`, and the day before its first one, `at_start`. The one place for it; what downtime takes from
 * sale is worked out in the same way by PostgreSQL (`mining_close_day`).
 */
export const projectedLastDay = sql.raw(`(
  case when newest.day >= c.starts_on
       then newest.day + ceil(c.term_days - (newest.cumulative_served_ppm - coalesce(at_start.cumulative_served_ppm, 0)) / 1000000.0)::integer
       else c.planned_last_day end)`);

/** A customer's contracts with their totals, or one of them, newest first. Nothing is summed over days. */
export async function listContractsWithTotals(
  db: Db | Tx,
  customerId: string,
  contractId?: string,
): Promise<ContractWithTotals[]> {
  const rows = await toRows(
    db,
    sql`
    with newest as (
      select day, cumulative_served_ppm from mining_runs where state = 'posted' order by day desc limit 1
    )
    select c.id, v.name, c.plan_version_id, c.ghs, c.quantity, c.usd_cents, c.coin, c.units, c.bought_at, c.cooling_off_until,
           c.starts_on::text, c.planned_last_day::text, c.last_day::text, c.end_reason, c.term_days, newest.day::text as counted_until,
           (coalesce(at_end.cumulative_served_ppm, newest.cumulative_served_ppm, 0) - coalesce(at_start.cumulative_served_ppm, 0)) as served_ppm,
           case when c.last_day is null then ${projectedLastDay}::text end as projected_last_day,
           coalesce(d.credited_sats, 0) + coalesce(fixed.sats, 0) as credited_sats,
           coalesce(d.credited_usd_micros, 0) + coalesce(fixed.usd_micros, 0) as credited_usd_micros,
           coalesce(d.fees_sats, 0) + coalesce(late.collected_sats, 0) as fees_sats,
           coalesce(d.fees_usd_micros, 0) + coalesce(late.collected_usd_micros, 0) as fees_usd_micros,
           coalesce(late.open_sats, 0) as unpaid_sats, e.refunded_units, e.forfeited_units
      from contracts c
      join plan_versions v on v.id = c.plan_version_id
      left join newest on true
      left join mining_runs at_start on at_start.day = c.starts_on - 1
      left join mining_runs at_end on at_end.day = c.last_day and at_end.state = 'posted'
      left join lateral (
        -- The newest receipt: of a customer who is set apart it is an earlier one.
        select * from mining_contract_days d
         where d.contract_id = c.id and d.day <= least(c.last_day, newest.day) order by d.day desc limit 1) d on true
      left join lateral (
        select sum(fee_sats) filter (where state = 'open') as open_sats,
               sum(fee_sats) filter (where state = 'collected') as collected_sats,
               sum(usd_micros) filter (where state = 'collected') as collected_usd_micros
          from maintenance_arrears a where a.contract_id = c.id) late on true
      left join lateral (
        select sum(x.change_sats) as sats, sum(div(x.change_sats * r.btc_usd_e8, 10000000000)) as usd_micros
          from mining_contract_corrections x join mining_runs r on r.day = x.day where x.contract_id = c.id) fixed on true
      left join contract_endings e on e.contract_id = c.id
     where c.customer_id = ${customerId} ${contractId === undefined ? sql`` : sql`and c.id = ${contractId}::uuid`}
     order by c.bought_at desc, c.id desc`,
  );
  return rows.map(asContract);
}

function asContract(row: Row): ContractWithTotals {
  const countedUntil = text(row, "counted_until");
  const startsOn = str(row, "starts_on");
  const started = countedUntil !== null && startsOn <= countedUntil;
  const termDays = Number(str(row, "term_days"));
  const servedPpm = started ? big(row, "served_ppm") : 0n;
  const served = servedPpm / 1_000_000n;
  return {
    contractId: str(row, "id"),
    planName: str(row, "name"),
    planVersionId: str(row, "plan_version_id"),
    ghs: big(row, "ghs"),
    quantity: Number(str(row, "quantity")),
    usdCents: big(row, "usd_cents"),
    coin: str(row, "coin") as Coin,
    units: big(row, "units"),
    boughtAt: new Date(str(row, "bought_at")),
    coolingOffUntil: moment(row, "cooling_off_until"),
    startsOn: str(row, "starts_on"),
    plannedLastDay: str(row, "planned_last_day"),
    lastDay: text(row, "last_day"),
    endReason: text(row, "end_reason") as ContractWithTotals["endReason"],
    termDays,
    servedDays: Math.min(termDays, Number(served)),
    servedPpm,
    countedUntil,
    projectedLastDay: text(row, "projected_last_day"),
    creditedSats: big(row, "credited_sats"),
    creditedUsdMicros: big(row, "credited_usd_micros"),
    feesSats: big(row, "fees_sats"),
    feesUsdMicros: big(row, "fees_usd_micros"),
    unpaidSats: big(row, "unpaid_sats"),
    refundedUnits: maybe(row, "refunded_units"),
    forfeitedUnits: maybe(row, "forfeited_units"),
  };
}

/** What became of a day's fee: paid in the run, waiting for the balance, paid later, or lapsed with its contract. */
export type FeeState = "paid" | "open" | "collected" | "lapsed";

/** What one contract earned and owed for one UTC day, with everything that it follows from. */
export interface Receipt extends DayFigures {
  contractId: string;
  customerId: string;
  day: string;
  planName: string;
  planVersion: number;
  startsOn: string;
  ghs: bigint;
  creditSats: bigint;
  creditUsdMicros: bigint;
  feeSats: bigint;
  feeUsdMicros: bigint;
  feeState: FeeState;
  feeClosedAt: Date | null;
  /** Of one TH/s for one day. */
  maintenanceUsdMicros: bigint;
  priceId: string;
  btcUsdE8: bigint;
  priceObservedAt: Date;
  postedAt: Date | null;
  /** Null: nobody asked the network on that day. `sats`: of this contract's hashrate. */
  reference: Reference | null;
  evidence: Evidence[];
  corrections: ReceiptCorrection[];
}

export interface Reference {
  observedAt: Date;
  difficulty: bigint;
  subsidySats: bigint;
  feesPerBlockSats: bigint;
  sats: bigint;
}

export interface Evidence {
  payoutId: string;
  pool: string;
  units: bigint;
  deliveredGhs: bigint;
  txid: string | null;
  statementId: string | null;
  statementName: string | null;
  /** Hexadecimal. */
  statementSha256: string | null;
  recordedAt: Date;
}

/** A second page: the payout turned out to be another after the day was given out. */
export interface ReceiptCorrection {
  payoutId: string;
  reason: string;
  payoutSats: bigint;
  distributableSats: bigint;
  sharedGhs: bigint;
  /** The day's credit with this correction, and what that changed. */
  creditSats: bigint;
  changeSats: bigint;
  startedAt: Date;
  evidence: Evidence;
}

const evidenceColumns = sql.raw(`
  p.id as payout_id, o.name as pool, p.units, p.delivered_ghs, p.txid, p.statement_id, s.name as statement_name,
  encode(s.sha256, 'hex') as statement_sha256, p.decided_at as recorded_at`);
const evidenceTables = sql.raw(`
  join pools o on o.id = p.pool_id left join pool_statements s on s.id = p.statement_id`);

/** The receipt of a contract's day; null where there is none. With `customerId`: only of that customer's contracts. */
export async function findReceipt(
  db: Db | Tx,
  { contractId, day, customerId }: { contractId: string; day: string; customerId?: string },
): Promise<Receipt | null> {
  const [row] = await toRows(
    db,
    sql`
    select d.contract_id, d.customer_id, d.day::text, v.name, v.version, c.starts_on::text, d.ghs, d.credit_sats, d.fee_sats, d.fee_paid,
           a.state as fee_state, a.closed_at as fee_closed_at, plan.maintenance_usd_micros, r.payout_sats, r.carried_sats,
           r.distributable_sats, r.delivered_ghs, r.active_ghs, r.shared_ghs, r.served_ppm, r.price_id, r.btc_usd_e8,
           r.price_observed_at, r.posted_at, r.network_observed_at, r.difficulty, r.subsidy_sats, r.fees_per_block_sats
      from mining_contract_days d
      join contracts c on c.id = d.contract_id
      join plan_versions v on v.id = c.plan_version_id
      join mining_runs r on r.day = d.day
      join mining_run_plans plan on plan.day = d.day and plan.plan_version_id = c.plan_version_id
      left join maintenance_arrears a on a.contract_id = d.contract_id and a.day = d.day
     where d.contract_id = ${contractId}::uuid and d.day = ${day}::date
       and (${customerId ?? null}::uuid is null or d.customer_id = ${customerId ?? null}::uuid)`,
  );
  if (!row) return null;
  const evidence = await toRows(
    db,
    sql`select ${evidenceColumns} from mining_run_payouts i join pool_payouts p on p.id = i.payout_id ${evidenceTables}
         where i.day = ${day}::date order by o.name`,
  );
  const corrections = await toRows(
    db,
    sql`select ${evidenceColumns}, p.correction_reason, f.payout_sats, f.distributable_sats, f.shared_ghs, f.started_at,
               x.credit_sats, x.change_sats
          from mining_contract_corrections x
          join mining_corrections f on f.payout_id = x.payout_id
          join pool_payouts p on p.id = f.payout_id ${evidenceTables}
         where x.contract_id = ${contractId}::uuid and x.day = ${day}::date order by f.number`,
  );
  const price = big(row, "btc_usd_e8");
  const ghs = big(row, "ghs");
  const creditSats = big(row, "credit_sats");
  const feeSats = big(row, "fee_sats");
  return {
    contractId: str(row, "contract_id"),
    customerId: str(row, "customer_id"),
    day: str(row, "day"),
    planName: str(row, "name"),
    planVersion: Number(str(row, "version")),
    startsOn: str(row, "starts_on"),
    ghs,
    creditSats,
    creditUsdMicros: usdMicros(creditSats, price),
    feeSats,
    feeUsdMicros: usdMicros(feeSats, price),
    feeState: (text(row, "fee_state") as FeeState | null) ?? "paid",
    feeClosedAt: moment(row, "fee_closed_at"),
    maintenanceUsdMicros: big(row, "maintenance_usd_micros"),
    ...dayFigures(row),
    priceId: str(row, "price_id"),
    btcUsdE8: price,
    priceObservedAt: new Date(str(row, "price_observed_at")),
    postedAt: moment(row, "posted_at"),
    reference: asReference(row, ghs),
    evidence: evidence.map(asEvidence),
    corrections: corrections.map((each) => ({
      payoutId: str(each, "payout_id"),
      reason: str(each, "correction_reason"),
      payoutSats: big(each, "payout_sats"),
      distributableSats: big(each, "distributable_sats"),
      sharedGhs: big(each, "shared_ghs"),
      creditSats: big(each, "credit_sats"),
      changeSats: big(each, "change_sats"),
      startedAt: new Date(str(each, "started_at")),
      evidence: asEvidence(each),
    })),
  };
}

function dayFigures(row: Row): DayFigures {
  return {
    payoutSats: big(row, "payout_sats"),
    carriedSats: big(row, "carried_sats"),
    distributableSats: big(row, "distributable_sats"),
    deliveredGhs: big(row, "delivered_ghs"),
    activeGhs: big(row, "active_ghs"),
    sharedGhs: big(row, "shared_ghs"),
    servedPpm: big(row, "served_ppm"),
  };
}

function asReference(row: Row, ghs: bigint): Reference | null {
  if (text(row, "network_observed_at") === null) return null;
  const difficulty = big(row, "difficulty");
  const subsidySats = big(row, "subsidy_sats");
  const feesPerBlockSats = big(row, "fees_per_block_sats");
  const sats = referenceSats(ghs, difficulty, subsidySats, feesPerBlockSats);
  const observedAt = new Date(str(row, "network_observed_at"));
  return { observedAt, difficulty, subsidySats, feesPerBlockSats, sats };
}

function asEvidence(row: Row): Evidence {
  return {
    payoutId: str(row, "payout_id"),
    pool: str(row, "pool"),
    units: big(row, "units"),
    deliveredGhs: big(row, "delivered_ghs"),
    txid: text(row, "txid"),
    statementId: text(row, "statement_id"),
    statementName: text(row, "statement_name"),
    statementSha256: text(row, "statement_sha256"),
    recordedAt: new Date(str(row, "recorded_at")),
  };
}

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
  const rows = await toRows(
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
  );
  return rows.map((row) => ({
    day: str(row, "day"),
    ghs: big(row, "ghs"),
    creditSats: big(row, "credit_sats"),
    creditUsdMicros: usdMicros(big(row, "credit_sats"), big(row, "btc_usd_e8")),
    feeSats: big(row, "fee_sats"),
    feeUsdMicros: usdMicros(big(row, "fee_sats"), big(row, "btc_usd_e8")),
    feeState: str(row, "fee_state") as FeeState,
    correctedSats: big(row, "corrected_sats"),
    servedPpm: big(row, "served_ppm"),
    referenceSats: asReference(row, big(row, "ghs"))?.sats ?? null,
  }));
}

/** What was not delivered of a contract, and on which days. */
export interface Downtime {
  /** Millionths of a day, of all its days that are worked out. */
  missedPpm: bigint;
  /** Of how many days. */
  count: number;
  /** The last of them, newest first. */
  days: Array<{ day: string; servedPpm: bigint }>;
}

/** On which days of a contract less was delivered than sold. */
export async function findDowntime(
  db: Db | Tx,
  contractId: string,
  { limit }: { limit: number },
): Promise<Downtime> {
  const rows = await toRows(
    db,
    sql`
    select r.day::text, r.served_ppm, count(*) over () as count, sum(1000000 - r.served_ppm) over () as missed_ppm
      from contracts c
      join mining_runs r on r.state = 'posted' and r.day >= c.starts_on and r.day <= coalesce(c.last_day, r.day)
     where c.id = ${contractId}::uuid and r.served_ppm < 1000000
     order by r.day desc limit ${limit}`,
  );
  return {
    missedPpm: rows[0] ? big(rows[0], "missed_ppm") : 0n,
    count: rows[0] ? Number(str(rows[0], "count")) : 0,
    days: rows.map((row) => ({ day: str(row, "day"), servedPpm: big(row, "served_ppm") })),
  };
}

/** A day of all of a customer's contracts. */
export interface CustomerDay {
  day: string;
  contracts: number;
  ghs: bigint;
  creditSats: bigint;
  creditUsdMicros: bigint;
  /** Due for the day, without what lapsed with its contract, and of that what the balance covered in the run. */
  feeSats: bigint;
  paidFeeSats: bigint;
  paidFeeUsdMicros: bigint;
  correctedSats: bigint;
  servedPpm: bigint;
  referenceSats: bigint | null;
  btcUsdE8: bigint;
}

/** A customer's days from one to another, both included, oldest first; days without a contract are missing. */
export async function listCustomerDays(
  db: Db | Tx,
  customerId: string,
  { from, to }: { from: string; to: string },
): Promise<CustomerDay[]> {
  const rows = await toRows(
    db,
    sql`
    select d.day::text, d.contracts, d.ghs, d.credit_sats, d.credit_usd_micros, d.fee_sats - coalesce(l.fee_sats, 0) as fee_sats, d.paid_fee_sats, d.paid_fee_usd_micros,
           coalesce(x.change_sats, 0) as corrected_sats, r.served_ppm, r.btc_usd_e8, r.network_observed_at, r.difficulty,
           r.subsidy_sats, r.fees_per_block_sats
      from mining_customer_days d
      join mining_runs r on r.day = d.day
      left join (select day, sum(fee_sats) as fee_sats from maintenance_arrears
                  where customer_id = ${customerId}::uuid and state = 'lapsed' group by day) l on l.day = d.day
      left join (select day, sum(change_sats + lost_sats) as change_sats from mining_customer_corrections
                  where customer_id = ${customerId}::uuid group by day) x on x.day = d.day
     where d.customer_id = ${customerId}::uuid and d.day between ${from}::date and ${to}::date
     order by d.day`,
  );
  return rows.map((row) => ({
    day: str(row, "day"),
    contracts: Number(str(row, "contracts")),
    ghs: big(row, "ghs"),
    creditSats: big(row, "credit_sats"),
    creditUsdMicros: big(row, "credit_usd_micros"),
    feeSats: big(row, "fee_sats"),
    paidFeeSats: big(row, "paid_fee_sats"),
    paidFeeUsdMicros: big(row, "paid_fee_usd_micros"),
    correctedSats: big(row, "corrected_sats"),
    servedPpm: big(row, "served_ppm"),
    referenceSats: asReference(row, big(row, "ghs"))?.sats ?? null,
    btcUsdE8: big(row, "btc_usd_e8"),
  }));
}

/** A run as the console lists it. Sums are null while it is being posted. */
export interface Run extends DayFigures {
  day: string;
  state: "posting" | "posted";
  contracts: number;
  customers: number;
  btcUsdE8: bigint;
  priceId: string;
  priceObservedAt: Date;
  creditedSats: bigint;
  /** The shares of customers who could not be posted yet. */
  reservedSats: bigint;
  operatorShareSats: bigint | null;
  remainderSats: bigint | null;
  feesDueSats: bigint | null;
  feesPaidSats: bigint | null;
  inactivitySats: bigint | null;
  startedAt: Date;
  postedAt: Date | null;
  /** The act of staff who posted it; null: it went by itself. */
  actionId: string | null;
  /** Of all the hashrate that was delivered. */
  reference: Reference | null;
  /** What corrections changed since for customers, for the operator, and what could not be taken back. */
  corrections: number;
  customersChangeSats: bigint;
  operatorChangeSats: bigint;
  lostSats: bigint;
}

const runColumns = sql.raw(`
  r.day::text, r.state, r.payout_sats, r.carried_sats, r.distributable_sats, r.delivered_ghs, r.active_ghs, r.shared_ghs, r.served_ppm,
  r.contracts, r.customers, r.btc_usd_e8, r.price_id, r.price_observed_at, r.credited_sats, r.reserved_sats, r.operator_share_sats, r.remainder_sats,
  r.fees_due_sats, r.fees_paid_sats, r.inactivity_sats, r.started_at, r.posted_at, r.action_id, r.network_observed_at, r.difficulty,
  r.subsidy_sats, r.fees_per_block_sats, f.corrections, f.customers_change_sats, f.operator_change_sats, f.lost_sats`);
const runTables = sql.raw(`
  mining_runs r cross join lateral (
    select count(*) as corrections, coalesce(sum(customers_change_sats), 0) as customers_change_sats,
           coalesce(sum(operator_change_sats), 0) as operator_change_sats, coalesce(sum(lost_sats), 0) as lost_sats
      from mining_corrections f where f.day = r.day) f`);

/** Runs, newest day first. `before`: the day that the last page ended with. */
export async function listRuns(
  db: Db | Tx,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Run[]> {
  const older = before === undefined ? sql`` : sql`where r.day < ${before}::date`;
  const rows = await toRows(
    db,
    sql`select ${runColumns} from ${runTables} ${older} order by r.day desc limit ${limit}`,
  );
  return rows.map(asRun);
}

/** A run with what it rests on, and how far it is. */
export interface RunDetails extends Run {
  plans: RunPlan[];
  /** None: no pool counted on the day. */
  evidence: Evidence[];
  /** Sets of customers that are credited, of all. */
  progress: { done: number; all: number };
}

export async function findRun(db: Db | Tx, day: string): Promise<RunDetails | null> {
  const [row] = await toRows(
    db,
    sql`select ${runColumns} from ${runTables} where r.day = ${day}::date`,
  );
  if (!row) return null;
  const plans = await toRows(
    db,
    sql`select plan.plan_version_id, v.name, v.version, plan.contracts, plan.ghs, plan.maintenance_usd_micros
          from mining_run_plans plan join plan_versions v on v.id = plan.plan_version_id
         where plan.day = ${day}::date order by v.name, v.version`,
  );
  const evidence = await toRows(
    db,
    sql`select ${evidenceColumns} from mining_run_payouts i join pool_payouts p on p.id = i.payout_id ${evidenceTables}
         where i.day = ${day}::date order by o.name`,
  );
  const [chunks] = await toRows(
    db,
    sql`select count(posted_at) as done, count(*) as "all" from mining_chunks
         where day = ${day}::date and correction_id is null`,
  );
  return {
    ...asRun(row),
    progress: { done: Number(chunks?.["done"]), all: Number(chunks?.["all"]) },
    plans: plans.map((plan) => ({
      planVersionId: str(plan, "plan_version_id"),
      name: str(plan, "name"),
      version: Number(str(plan, "version")),
      contracts: Number(str(plan, "contracts")),
      ghs: big(plan, "ghs"),
      maintenanceUsdMicros: big(plan, "maintenance_usd_micros"),
    })),
    evidence: evidence.map(asEvidence),
  };
}

/** What ran under a plan's version on a day, and what its maintenance cost per TH/s. */
export interface RunPlan {
  planVersionId: string;
  name: string;
  version: number;
  contracts: number;
  ghs: bigint;
  maintenanceUsdMicros: bigint;
}

function asRun(row: Row): Run {
  return {
    day: str(row, "day"),
    state: str(row, "state") as Run["state"],
    ...dayFigures(row),
    contracts: Number(str(row, "contracts")),
    customers: Number(str(row, "customers")),
    btcUsdE8: big(row, "btc_usd_e8"),
    priceId: str(row, "price_id"),
    priceObservedAt: new Date(str(row, "price_observed_at")),
    creditedSats: big(row, "credited_sats"),
    reservedSats: big(row, "reserved_sats"),
    operatorShareSats: maybe(row, "operator_share_sats"),
    remainderSats: maybe(row, "remainder_sats"),
    feesDueSats: maybe(row, "fees_due_sats"),
    feesPaidSats: maybe(row, "fees_paid_sats"),
    inactivitySats: maybe(row, "inactivity_sats"),
    startedAt: new Date(str(row, "started_at")),
    postedAt: moment(row, "posted_at"),
    actionId: text(row, "action_id"),
    reference: asReference(row, big(row, "delivered_ghs")),
    corrections: Number(str(row, "corrections")),
    customersChangeSats: big(row, "customers_change_sats"),
    operatorChangeSats: big(row, "operator_change_sats"),
    lostSats: big(row, "lost_sats"),
  };
}

/** A clock against a contract whose maintenance is unpaid. */
export interface Clock {
  clockId: string;
  contractId: string;
  customerId: string;
  customerName: string;
  planName: string;
  ghs: bigint;
  startedAt: Date;
  /** Of the 72 hours, what has not run yet. */
  leftMs: number;
  /** When that is used up if it runs on from now without standing still. */
  expiresAt: Date;
  /** It stands still: a day is over and not worked out, and what it brings is not known. Null: it runs. */
  waitsFor: AwaitedDay | null;
  unpaidSats: bigint;
  /** What has to arrive to stop it: fees of other contracts that are older are taken before. */
  missingSats: bigint;
  availableSats: bigint;
  /** What happens with the price of days not served if it runs out. */
  termination: "refund-unserved" | "forfeit";
}

export interface AwaitedDay {
  day: string;
  /** Since when clocks have stood still for it. */
  since: Date;
}

/** How many clocks there are, and the day that they stand still for, if there is one. */
export async function countClocks(
  db: Db,
  now: Date,
): Promise<{ clocks: number; waitFor: string | null }> {
  const { rows } = await db.execute(sql`
    select (select count(*)::integer from maintenance_clocks where state = 'running') as clocks,
           (select day::text from awaited_day(${now.toISOString()}::timestamptz)) as wait_for`);
  const [row] = rows as [{ clocks: number; wait_for: string | null }];
  return { clocks: row.clocks, waitFor: row.wait_for };
}

/** How long a clock `k` has left, in milliseconds, where `awaited` is the day that clocks wait for: a term of SQL. */
export const clockLeftMs = (at: SQL): SQL => sql`(
  1000 * extract(epoch from k.expires_at
    - case when awaited.since is null then ${at} else greatest(awaited.since, k.started_at) end))`;

/** Joins the day that a clock `k` waits for, as `awaited`: the customer's oldest that is set apart, or what everybody waits for. */
export const awaitedByClock = (at: SQL): SQL => sql`
  left join awaited_day(${at}) everybody on true
  left join lateral (
    select a.day, a.set_apart_at as since from mining_chunks a
     where a.first_customer_id = k.customer_id and a.set_apart_at is not null and a.posted_at is null and a.correction_id is null
     order by a.day limit 1) own on true
  cross join lateral (select coalesce(own.day, everybody.day) as day, coalesce(own.since, everybody.since) as since) awaited`;

/** Clocks, the first to run out first: one customer's, or everybody's. */
export async function listClocks(
  db: Db | Tx,
  { now, customerId, limit = 1000 }: { now: Date; customerId?: string; limit?: number },
): Promise<Clock[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const ofCustomer =
    customerId === undefined ? sql`` : sql`and k.customer_id = ${customerId}::uuid`;
  const rows = await toRows(
    db,
    sql`
    select k.id, k.contract_id, k.customer_id, u.name as customer_name, v.name, c.ghs, k.started_at, v.termination,
           ${clockLeftMs(at)} as left_ms, awaited.day::text as awaited_day, awaited.since as awaited_since,
           coalesce((select sum(fee_sats) from maintenance_arrears a where a.contract_id = k.contract_id and a.state = 'open'), 0) as unpaid_sats,
           coalesce(b.balance, 0) as available_sats,
           greatest(${neededToStop(sql`k`)} - coalesce(b.balance, 0), 0) as missing_sats
      from maintenance_clocks k
      ${awaitedByClock(at)}
      join contracts c on c.id = k.contract_id
      join users u on u.id = k.customer_id
      join plan_versions v on v.id = c.plan_version_id
      left join ledger_accounts b on b.owner_id = k.customer_id and b.account = 'available' and b.asset = 'BTC'
     where k.state = 'running' ${ofCustomer}
     order by k.expires_at, k.id limit ${limit}`,
  );
  return rows.map((row) => asClock(row, now));
}

function asClock(row: Row, now: Date): Clock {
  const leftMs = Math.max(0, Number(str(row, "left_ms")));
  const since = moment(row, "awaited_since");
  return {
    clockId: str(row, "id"),
    contractId: str(row, "contract_id"),
    customerId: str(row, "customer_id"),
    customerName: str(row, "customer_name"),
    planName: str(row, "name"),
    ghs: big(row, "ghs"),
    startedAt: new Date(str(row, "started_at")),
    leftMs,
    expiresAt: new Date(now.getTime() + leftMs),
    waitsFor: since && { day: str(row, "awaited_day"), since },
    unpaidSats: big(row, "unpaid_sats"),
    missingSats: big(row, "missing_sats"),
    availableSats: big(row, "available_sats"),
    termination: str(row, "termination") as Clock["termination"],
  };
}

/**
 * What a balance must hold before nothing is unpaid of a clock's contract: its own fees, and those of the customer's other
 * contracts that are taken before them (`mining_collect_from`).
 */
export function neededToStop(clock: SQL): SQL {
  return sql`(
    select coalesce(sum(a.fee_sats), 0) from maintenance_arrears a
     where a.customer_id = ${clock}.customer_id and a.state = 'open'
       and (a.day, a.bought_at, a.contract_id) <= (
         select own.day, own.bought_at, own.contract_id from maintenance_arrears own
          where own.customer_id = ${clock}.customer_id and own.contract_id = ${clock}.contract_id and own.state = 'open'
          order by own.day desc limit 1))`;
}

/** Work that failed for one customer: the others went on, and it is tried again. */
export interface CustomerApart {
  customerId: string;
  customerName: string;
  work: "day" | "correction" | "arrears" | "clocks" | "endings" | "inactivity";
  /** Of a day or its correction. */
  day: string | null;
  error: string;
  failedAt: Date;
  tries: number;
  /** Null: with an earlier day of the same customer. */
  retryAt: Date | null;
  /** The share of a day that waits for the customer. */
  reservedSats: bigint | null;
}

/** Customers who are set apart, the longest first. `untold`: of whom staff have no mail yet. */
export async function listCustomersApart(
  db: Db | Tx,
  {
    customerId,
    day,
    untold = false,
    limit,
  }: { customerId?: string; day?: string; untold?: boolean; limit: number },
): Promise<CustomerApart[]> {
  const which = [
    sql`true`,
    ...(customerId === undefined ? [] : [sql`customer_id = ${customerId}::uuid`]),
    ...(day === undefined ? [] : [sql`day = ${day}::date`]),
    // What only waits for an earlier day of the same customer is no news.
    ...(untold ? [sql`told_at is null and (tries > 0 or reserved_sats is null)`] : []),
  ];
  const rows = await toRows(
    db,
    sql`select customer_id, (select u.name from users u where u.id = mining_customers_apart.customer_id) as customer_name,
               work, day::text, error, failed_at, tries::text, retry_at, reserved_sats
          from mining_customers_apart where ${sql.join(which, sql` and `)}
         order by failed_at, customer_id, day, work desc limit ${limit}`,
  );
  return rows.map((row) => ({
    customerId: str(row, "customer_id"),
    customerName: str(row, "customer_name"),
    work: str(row, "work") as CustomerApart["work"],
    day: text(row, "day"),
    error: str(row, "error"),
    failedAt: new Date(str(row, "failed_at")),
    tries: Number(str(row, "tries")),
    retryAt: moment(row, "retry_at"),
    reservedSats: maybe(row, "reserved_sats"),
  }));
}

/** Days of a customer that were worked out and are not credited, because crediting failed: how many, the first, and their share. */
export async function findReservedDays(
  db: Db,
  customerId: string,
): Promise<{ count: number; first: string; sats: bigint } | null> {
  const [row] = await toRows(
    db,
    sql`select count(*)::int as count, min(day)::text as first, coalesce(sum(reserved_sats), 0)::text as sats
          from mining_customers_apart where customer_id = ${customerId}::uuid and work = 'day'`,
  );
  const first = row ? text(row, "first") : null;
  return row && first
    ? { count: Number(row["count"]), first, sats: BigInt(str(row, "sats")) }
    : null;
}

/** Whether the run goes by itself, and from what difference to the reference on it waits for a person. */
export interface RunSettings {
  byItself: boolean;
  mostDeviationPpm: number;
}

export async function getRunSettings(db: Db | Tx): Promise<RunSettings> {
  const [row] = await toRows(
    db,
    sql`select by_itself::text, most_deviation_ppm from mining_settings order by number desc limit 1`,
  );
  if (!row) return { byItself: true, mostDeviationPpm: 200_000 };
  return {
    byItself: str(row, "by_itself") === "true",
    mostDeviationPpm: Number(str(row, "most_deviation_ppm")),
  };
}

/** The day that is worked out next; null while no pool counts. */
export async function findNextMiningDay(db: Db | Tx): Promise<string | null> {
  const [row] = await toRows(db, sql`select next_mining_day()::text as day`);
  return row ? text(row, "day") : null;
}

/** How often a customer gets a digest of credits: every week, unless he chose something else. */
export async function getDigestChoice(db: Db | Tx, customerId: string): Promise<DigestEvery> {
  const [row] = await toRows(
    db,
    sql`select every from digest_choices where customer_id = ${customerId}::uuid`,
  );
  return (row?.every as DigestEvery | undefined) ?? "week";
}

/** A row of a hand-written read: numbers beyond 32 bits come as text. */
type Row = Record<string, string | null>;

async function toRows(db: Db | Tx, query: SQL): Promise<Row[]> {
  return (await db.execute(query)).rows as Row[];
}

function big(row: Row, name: string): bigint {
  return BigInt(row[name] ?? 0);
}

/** Of a column that is never null. */
function str(row: Row, name: string): string {
  return row[name] ?? "";
}

function maybe(row: Row, name: string): bigint | null {
  const value = row[name];
  return value === null || value === undefined ? null : BigInt(value);
}

function text(row: Row, name: string): string | null {
  return row[name] ?? null;
}

function moment(row: Row, name: string): Date | null {
  const value = row[name];
  return value === null || value === undefined ? null : new Date(value);
}
