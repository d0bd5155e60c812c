import type { LedgerCheck } from "../ledger/verify/ledger-check.ts";
import { type Claim, verifyClaims } from "../ledger/verify/verify-claims.ts";
import { getRow, orNull, text } from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";
import { sql } from "../platform/sql.ts";

/**
 * Recomputes every run from its evidence, every receipt from its run, every customer's day from its receipts, and
 * compares the ledger with all of them. Trusts no sum or total that is stored. Where months were taken out it says so, and nothing
 * else: what is here does not suffice.
 */
export async function verifyMining(db: Db): Promise<LedgerCheck[]> {
  const { months: missing } = await db.transaction((tx) =>
    getRow(
      tx,
      sql`select string_agg(distinct to_char(month, 'YYYY-MM'), ', ') as months from months
           where detached_at is not null and parent in ('ledger_transfers', 'mining_contract_days')`,
      { months: orNull(text) },
    ),
  );
  if (!missing) return verifyClaims(db, claims);
  return [
    {
      claim: "every month of the ledger and of the receipts is here",
      holds: false,
      detail: `taken out: ${missing}. Put them back in a copy, and verify that`,
    },
  ];
}

const active = "c.starts_on <= r.day and (c.last_day is null or c.last_day >= r.day)";

/** A customer's day, or correction, that is set apart. */
const apart = "k.set_apart_at is not null and k.posted_at is null";

const claims: Claim[] = [
  {
    claim: "hashrate that is sold under each plan version is the sum of its contracts",
    count: "sold_hashrate",
    wrong: `
      select 'plan version ' || coalesce(s.plan_version_id, c.plan_version_id) as what
        from (select * from sold_hashrate where contracts <> 0 or ghs <> 0) s
        full join (select plan_version_id, sum(ghs) as ghs, count(*) as contracts from contracts where last_day is null group by 1) c
          on c.plan_version_id = s.plan_version_id
       where (s.ghs, s.contracts) is distinct from (c.ghs, c.contracts)`,
  },
  {
    claim:
      "every contract that was settled has its result, and every version of a plan the record of these",
    count: "contract_results",
    wrong: `
      with computed as materialized (
        select r.*, floor(r.usd_micros / r.usd_cents) as cents, r.usd_micros < r.usd_cents * 10000 as is_below
          from results_of_contracts((select array_agg(contract_id) from contract_endings where settled_at is not null)) r
      ), ranked as (
        select *, sum(usd_cents) over (partition by plan_version_id order by cents) / sum(usd_cents) over (partition by plan_version_id) as part
          from computed
      )
      select 'contract ' || coalesce(k.contract_id, c.contract_id) as what
        from contract_results k full join computed c on c.contract_id = k.contract_id
       where (k.plan_version_id, k.usd_micros, k.usd_cents) is distinct from (c.plan_version_id, c.usd_micros, c.usd_cents)
      union all
      select 'plan version ' || coalesce(k.plan_version_id, c.plan_version_id)
        from plan_records k
        full join (select plan_version_id, count(*) as ended, count(*) filter (where is_below) as below, sum(usd_cents) as usd_cents,
                          coalesce(sum(usd_cents) filter (where is_below), 0) as below_usd_cents, sum(usd_micros) as usd_micros,
                          min(cents) filter (where part >= 0.5) as median_cents, min(cents) filter (where part >= 0.1) as p10_cents,
                          min(cents) filter (where part >= 0.9) as p90_cents
                     from ranked group by plan_version_id) c on c.plan_version_id = k.plan_version_id
       where to_jsonb(k) is distinct from to_jsonb(c)`,
  },
  {
    claim: "the results that plans' records are read from are those of their contracts",
    count: "plan_results",
    wrong: `
      select 'plan version ' || coalesce(k.plan_version_id, c.plan_version_id) || ' at ' || coalesce(k.cents, c.cents) || ' cents' as what
        from (select * from plan_results where contracts <> 0 or below <> 0 or usd_cents <> 0 or below_usd_cents <> 0 or usd_micros <> 0) k
        full join (select plan_version_id, cents, count(*) as contracts, count(*) filter (where is_below) as below, sum(usd_cents) as usd_cents,
                          coalesce(sum(usd_cents) filter (where is_below), 0) as below_usd_cents, sum(usd_micros) as usd_micros
                     from contract_results group by plan_version_id, cents) c on c.plan_version_id = k.plan_version_id and c.cents = k.cents
       where to_jsonb(k) is distinct from to_jsonb(c)`,
  },
  {
    claim:
      "every run rests on recorded payouts, or on an act of staff where no pool counted, and on the contracts that ran",
    count: "mining_runs",
    wrong: `
      select 'run ' || r.day as what from mining_runs r
        left join lateral (select count(*) as payouts, coalesce(sum(p.units), 0) as units, coalesce(sum(p.delivered_ghs), 0) as ghs
                             from mining_run_payouts i
          join pool_payouts p on p.id = i.payout_id and p.day = r.day and p.state = 'recorded' where i.day = r.day) p on true
        left join lateral (select coalesce(sum(c.ghs), 0) as ghs, count(*) as contracts from contracts c where ${active}) c on true
       where (r.payout_sats, r.delivered_ghs, r.active_ghs, r.contracts) is distinct from (p.units, p.ghs, c.ghs, c.contracts)
          or p.payouts = 0 and (r.action_id is null or exists (
               select from pools o where r.day between o.counts_from and coalesce(o.counts_until, 'infinity')))`,
  },
  {
    claim: "every run is priced by a price that is kept, and charges maintenance as announced",
    count: "mining_run_plans",
    wrong: `
      select 'run ' || r.day as what from mining_runs r left join market_prices p on p.id = r.price_id and p.pinned and p.asset = 'BTC'
       where (p.usd_e8, p.observed_at) is distinct from (r.btc_usd_e8, r.price_observed_at)
      union all
      select 'run ' || day || ' plan ' || plan_version_id from mining_run_plans
       where maintenance_usd_micros <> maintenance_on(plan_version_id, day)`,
  },
  {
    claim: "runs follow each other day by day, with what the one before could not divide",
    count: "mining_runs",
    wrong: `
      select 'run ' || day as what from (
        select r.*, lag(day) over w as day_before, lag(remainder_sats, 1, 0) over w as left_over,
               lag(cumulative_served_ppm, 1, 0::bigint) over w as served_before from mining_runs r window w as (order by day)) r
       where day_before <> day - 1 or carried_sats <> left_over or cumulative_served_ppm <> served_before + served_ppm`,
  },
  {
    claim:
      "every contract that ran on a day has one receipt of it, as its hashrate, the evidence and the price make it",
    count: "mining_contract_days",
    wrong: `
      select 'receipt of ' || coalesce(d.contract_id, c.id) || ' on ' || coalesce(d.day, c.day) as what
        from (select c.id, r.day, c.customer_id, c.ghs, div(r.distributable_sats * c.ghs, r.shared_ghs) as credit,
                     div(c.ghs * p.maintenance_usd_micros * 10000000, r.btc_usd_e8) as fee
                from mining_runs r join contracts c on ${active}
                join mining_run_plans p on p.day = r.day and p.plan_version_id = c.plan_version_id where r.state = 'posted'
                 and not exists (select from mining_chunks k where k.day = r.day and ${apart} and k.correction_id is null
                                    and k.first_customer_id = c.customer_id)) c
        full join (select d.* from mining_contract_days d join mining_runs r on r.day = d.day and r.state = 'posted') d
          on d.contract_id = c.id and d.day = c.day
       where (d.customer_id, d.ghs, d.credit_sats, d.fee_sats) is distinct from (c.customer_id, c.ghs, c.credit, c.fee)`,
  },
  {
    claim: "every running total of a contract is the sum of its days",
    count: "mining_contract_days",
    wrong: `
      select 'receipt of ' || contract_id || ' on ' || day as what from (
        select d.*, sum(d.credit_sats) over w as credits, sum(div(d.credit_sats * r.btc_usd_e8, 10000000000)) over w as credits_usd,
               sum(case when fee_paid then fee_sats else 0 end) over w as fees,
               sum(case when fee_paid then div(d.fee_sats * r.btc_usd_e8, 10000000000) else 0 end) over w as fees_usd
          from mining_contract_days d join mining_runs r on r.day = d.day window w as (partition by contract_id order by d.day)) d
       where (credited_sats, credited_usd_micros, fees_sats, fees_usd_micros) is distinct from (credits, credits_usd, fees, fees_usd)`,
  },
  {
    claim: "every customer's day is the sum of his receipts, and its totals are those of his days",
    count: "mining_customer_days",
    wrong: `
      select 'customer ' || coalesce(s.customer_id, d.customer_id) || ' on ' || coalesce(s.day, d.day) as what
        from (select *, sum(credit) over w as credits, sum(credit_usd) over w as credits_usd, sum(paid) over w as fees, sum(paid_usd) over w as fees_usd
                from (select d.customer_id, d.day, count(*) as contracts, sum(d.ghs) as ghs, sum(d.credit_sats) as credit, sum(d.fee_sats) as fee,
                             sum(div(d.credit_sats * r.btc_usd_e8, 10000000000)) as credit_usd,
                             sum(case when fee_paid then d.fee_sats else 0 end) as paid,
                             sum(case when fee_paid then div(d.fee_sats * r.btc_usd_e8, 10000000000) else 0 end) as paid_usd
                        from mining_contract_days d join mining_runs r on r.day = d.day group by d.customer_id, d.day) each
              window w as (partition by customer_id order by day)) s
        full join mining_customer_days d on d.customer_id = s.customer_id and d.day = s.day
       where (d.contracts, d.ghs, d.credit_sats, d.credit_usd_micros, d.fee_sats, d.paid_fee_sats, d.paid_fee_usd_micros,
              d.credited_sats, d.credited_usd_micros, d.fees_sats, d.fees_usd_micros)
             is distinct from (s.contracts, s.ghs, s.credit, s.credit_usd, s.fee, s.paid, s.paid_usd, s.credits, s.credits_usd, s.fees, s.fees_usd)`,
  },
  {
    claim: "credits and fees stand in the ledger as the customers' days say",
    count: "mining_customer_days",
    wrong: `
      select coalesce(t.key, d.key) as what
        from (select 'mining-credit:' || iso_day(day) || ':' || customer_id as key, customer_id, credit_sats as sats from mining_customer_days where credit_sats > 0
              union all select 'maintenance-fee:' || iso_day(day) || ':' || customer_id, customer_id, -paid_fee_sats from mining_customer_days where paid_fee_sats > 0) d
        full join (select t.key, t.owner_id, leg.units from ledger_transfers t cross join unnest(t.legs) leg
                    where t.kind in ('mining-credit', 'maintenance-fee') and leg.account = 'available' and t.key not like 'maintenance-arrears:%') t
          on t.key = d.key and t.owner_id = d.customer_id and t.units = d.sats
       where d.key is null or t.key is null`,
  },
  {
    claim: "what was not paid in a run is owed, was collected by a transfer, or lapsed",
    count: "maintenance_arrears",
    wrong: `
      select 'fee of ' || coalesce(d.contract_id, a.contract_id) || ' on ' || coalesce(d.day, a.day) as what
        from (select * from mining_contract_days where not fee_paid) d
        full join maintenance_arrears a on a.contract_id = d.contract_id and a.day = d.day and a.fee_sats = d.fee_sats
       where d.day is null or a.day is null
      union all
      select coalesce(t.key, 'maintenance-arrears:' || a.transfer_id)
        from (select transfer_id, customer_id, sum(fee_sats) as sats from maintenance_arrears where state = 'collected' group by 1, 2) a
        full join (select t.* from ledger_transfers t where t.kind = 'maintenance-fee' and t.key like 'maintenance-arrears:%') t
          on t.id = a.transfer_id and t.owner_id = a.customer_id
         and exists (select from unnest(t.legs) leg where leg.account = 'maintenance_revenue' and leg.units = a.sats)
       where a.transfer_id is null or t.id is null`,
  },
  {
    claim: "every day's evidence is given out to the satoshi, corrections included",
    count: "mining_runs",
    wrong: `
      select 'run ' || r.day as what from mining_runs r
        left join lateral (select coalesce(sum(credit_sats), 0) as credits from mining_customer_days d where d.day = r.day) d on true
       where r.state = 'posted' and (r.credited_sats <> d.credits or d.credits + r.reserved_sats + r.operator_share_sats + r.remainder_sats <> r.distributable_sats)
      union all
      select 'pool_receivable ' || units from (
        select coalesce(sum(e.units), 0) - (
            select coalesce(sum(p.units), 0) from pool_payouts p where p.state = 'recorded'
               and not exists (select from pool_payouts n where n.corrects = p.id and n.state = 'recorded')
               and not exists (select from mining_runs r where r.day = p.day and r.state = 'posted'
                                 and (exists (select from mining_run_payouts i where i.day = p.day and i.payout_id = p.id)
                                   or exists (select from mining_corrections c where c.payout_id = p.id and c.state = 'posted'))))
               - (select coalesce(sum(r.reserved_sats), 0) from mining_runs r)
               - (select coalesce(sum(c.reserved_sats), 0) from mining_corrections c) as units
          from ledger_entries e where e.account = 'pool_receivable') kept
       where units <> 0
         and not exists (select from mining_runs where state = 'posting')
         and not exists (select from mining_corrections where state = 'posting')
         and not exists (select from corrections_to_post())
      union all
      select 'operator share of run ' || day from mining_runs
       where state = 'posted' and operator_share_sats <> case when active_ghs = 0 then distributable_sats
         else div(distributable_sats * (shared_ghs - active_ghs), shared_ghs) end`,
  },
  {
    claim: "what is reserved is the share of customers who are set apart, each day and correction",
    count: "mining_runs",
    wrong: `
      select 'run ' || r.day as what from mining_runs r
       where r.state = 'posted' and r.reserved_sats <> (
         select coalesce(sum(div(r.distributable_sats * c.ghs, r.shared_ghs)), 0) from mining_chunks k
           join contracts c on c.customer_id = k.first_customer_id and ${active}
          where k.day = r.day and k.correction_id is null and ${apart})
      union all
      select 'correction ' || f.payout_id from mining_corrections f join mining_runs r on r.day = f.day
        left join mining_corrections e on e.day = f.day and e.number = f.number - 1
       where f.state = 'posted' and f.reserved_sats <> (
         select coalesce(sum(div(f.distributable_sats * c.ghs, f.shared_ghs)
                             - div(coalesce(e.distributable_sats, r.distributable_sats) * c.ghs, coalesce(e.shared_ghs, r.shared_ghs))), 0)
           from mining_chunks k join contracts c on c.customer_id = k.first_customer_id and ${active}
          where k.correction_id = f.payout_id and ${apart})`,
  },
  {
    claim: "every correction is what its payout changed, contract by contract",
    count: "mining_corrections",
    wrong: `
      with credits as materialized (
        select f.payout_id, f.number, d.contract_id, d.customer_id, f.day, div(f.distributable_sats * d.ghs, f.shared_ghs) as credit, d.credit_sats as first
          from mining_corrections f join mining_contract_days d on d.day = f.day
      ), changes as (
        select *, credit - lag(credit, 1, first) over (partition by day, contract_id order by number) as change from credits
      )
      select 'correction ' || coalesce(c.payout_id, x.payout_id) || ' of ' || coalesce(c.contract_id, x.contract_id) as what
        from (select * from changes c where change <> 0 and not exists (
                select from mining_chunks k where k.correction_id = c.payout_id and k.posted_at is null
                   and c.customer_id between k.first_customer_id and k.last_customer_id)) c
        full join mining_contract_corrections x on x.payout_id = c.payout_id and x.contract_id = c.contract_id
       where (x.credit_sats, x.change_sats) is distinct from (c.credit, c.change)
      union all
      select 'correction ' || coalesce(c.payout_id, s.payout_id) || ' of ' || coalesce(c.customer_id, s.customer_id)
        from mining_customer_corrections c
        full join (select x.payout_id, d.customer_id, sum(x.change_sats) as change from mining_contract_corrections x
                     join mining_contract_days d on d.contract_id = x.contract_id and d.day = x.day group by 1, 2) s
          on s.payout_id = c.payout_id and s.customer_id = c.customer_id
       where c.change_sats is distinct from s.change`,
  },
  {
    claim:
      "the price of every contract was earned day by day, given back or kept, and the rest is prepaid",
    count: "contracts",
    wrong: `
      select coin || ' ' || units as what from (
        select coin, sum(units) as units from (
          select coin, units from unserved_shares()
          union all
          select asset, -sum(units) from ledger_entries where account = 'contract_prepaid' group by asset) each group by coin) kept
       where units <> 0 and not exists (select from mining_runs where state = 'posting')`,
  },
];
