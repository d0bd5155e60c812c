import { documentClaim } from "../ledger/verify/document-claim.ts";
import type { Claim } from "../ledger/verify/verify-claims.ts";

const house = "'00000000-0000-0000-0000-000000000000'::uuid";

/** The id that a source names, where it names one of this kind. */
const idIn = (noun: string) =>
  `case when source ~ '^${noun}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(source, ${noun.length + 2})::uuid end`;

/** A chunk of one customer who could not be posted, and is tried again. */
const apart = "k.set_apart_at is not null and k.posted_at is null";

/** Whole days of its term that a contract had served at the end of a day. */
const servedOn = (day: string) => `
  least(c.term_days, (coalesce((select cumulative_served_ppm from mining_runs where day = ${day}), 0)
    - coalesce((select cumulative_served_ppm from mining_runs where day = c.starts_on - 1), 0)) / 1000000)`;

/** What the ledger must say of what was mined, beside what `verifyMining` computes again. */
export const miningClaims: Claim[] = [
  {
    claim: "what is for sale rests on what pools measured and paid on each posted day",
    count: "capacity_evidence",
    wrong: `
      select 'day ' || r.day as what from mining_runs r left join capacity_evidence e on e.day = r.day
       cross join lateral (select * from capacity_seen(r.day) offset 0) seen
       where r.state = 'posted' and (e.reported_ghs, e.implied_ghs, e.sellable_ghs) is distinct from
                                    (seen.reported_ghs, seen.implied_ghs, seen.sellable_ghs)
      union all
      select 'day ' || e.day from capacity_evidence e where not exists (select from mining_runs r where r.day = e.day and r.state = 'posted')`,
  },
  documentClaim({
    claim: "every credit and every fee of a day is what a customer's day says, and is posted once",
    count: "mining_customer_days",
    kinds: ["mining-credit", "maintenance-fee"],
    documents: (among) => `
      select 'mining-credit:' || iso_day(d.day) || ':' || d.customer_id as key, 'mining-credit' as kind, d.customer_id as owner_id,
             array[('available', 'BTC', d.credit_sats), ('pool_receivable', 'BTC', -d.credit_sats)]::ledger_leg[] as legs,
             'mining-run:' || iso_day(d.day) as source, null::uuid as transfer_id, null::uuid as reverses,
             null::timestamptz as occurred_at, d.day
        from mining_customer_days d where d.credit_sats > 0 and ${among("d.customer_id, d.day", "owner_id, day")}
      union all
      select 'maintenance-fee:' || iso_day(d.day) || ':' || d.customer_id, 'maintenance-fee', d.customer_id,
             array[('available', 'BTC', -d.paid_fee_sats), ('maintenance_revenue', 'BTC', d.paid_fee_sats)]::ledger_leg[],
             'mining-run:' || iso_day(d.day), null, null, null, d.day
        from mining_customer_days d where d.paid_fee_sats > 0 and ${among("d.customer_id, d.day", "owner_id, day")}
      union all
      select 'maintenance-arrears:' || a.transfer_id, 'maintenance-fee', a.customer_id,
             array[('available', 'BTC', -sum(a.fee_sats)), ('maintenance_revenue', 'BTC', sum(a.fee_sats))]::ledger_leg[],
             'maintenance-arrears:' || a.transfer_id, a.transfer_id, null, a.closed_at, null
        from maintenance_arrears a where a.state = 'collected' and ${among("a.transfer_id", "id")}
       group by a.transfer_id, a.customer_id, a.closed_at`,
  }),
  documentClaim({
    claim:
      "what the house earned, took and carried on a day is what the day's run says, and is posted once",
    count: "mining_runs",
    kinds: ["contract-day", "operator-share", "rounding-carry"],
    documents: (among) => `
      select r.prefix || iso_day(r.day) || r.suffix as key, r.kind, ${house} as owner_id, r.legs, 'mining-run:' || iso_day(r.day) as source,
             null::uuid as transfer_id, null::uuid as reverses, r.occurred_at, r.day
        from (
          select day, 'contract-day:' as prefix, '' as suffix, 'contract-day' as kind, posted_at as occurred_at,
                 mining_legs('{contract_prepaid,contract_revenue}', 'BTC', -earned_btc_units, earned_btc_units)
                 || mining_legs('{contract_prepaid,contract_revenue}', 'ETH', -earned_eth_units, earned_eth_units)
                 || mining_legs('{contract_prepaid,contract_revenue}', 'USDT', -earned_usdt_units, earned_usdt_units) as legs
            from mining_runs where state = 'posted'
          union all
          select day, 'operator-share:', '', 'operator-share', posted_at,
                 case when operator_share_sats > 0 then
                   array[('operator_equity', 'BTC', operator_share_sats), ('pool_receivable', 'BTC', -operator_share_sats)]::ledger_leg[] end
            from mining_runs where state = 'posted'
          union all
          select day, 'rounding-carry:', ':in', 'rounding-carry', started_at,
                 case when carried_sats > 0 then
                   array[('pool_receivable', 'BTC', carried_sats), ('rounding', 'BTC', -carried_sats)]::ledger_leg[] end
            from mining_runs
          union all
          select day, 'rounding-carry:', ':out', 'rounding-carry', posted_at,
                 case when remainder_sats > 0 then
                   array[('pool_receivable', 'BTC', -remainder_sats), ('rounding', 'BTC', remainder_sats)]::ledger_leg[] end
            from mining_runs where state = 'posted') r
       where r.legs is not null and ${among("r.day", "day")}`,
  }),
  documentClaim({
    claim:
      "every fee of an idle account is charged once, by the terms, after its notice, on what the balance was",
    count: "inactivity_fees",
    kinds: ["inactivity-fee"],
    documents: (among) => `
      select 'inactivity-fee:' || iso_day(f.day) || ':' || f.customer_id as key, 'inactivity-fee' as kind, f.customer_id as owner_id,
             array[('available', 'BTC', -f.fee_sats), ('inactivity_revenue', 'BTC', f.fee_sats)]::ledger_leg[] as legs,
             'mining-run:' || iso_day(f.day) as source, null::uuid as transfer_id, null::uuid as reverses,
             null::timestamptz as occurred_at, f.day
        from inactivity_fees f
        join inactivity_notices n on n.id = f.notice_id and n.customer_id = f.customer_id and n.first_fee_day <= f.day
       where exists (
               select from terms_ever t
                where f.fee_sats = least(greatest(div(f.balance_sats * t.inactivity_fee_per_million, 1000000), t.inactivity_fee_minimum_sats),
                                         f.balance_sats - t.minimum_withdrawal_sats)
                  and (n.told_at at time zone 'UTC')::date + t.inactivity_notice_days <= f.day)
         and ${among("f.customer_id, f.day", "owner_id, day")}`,
  }),
  documentClaim({
    claim: "every correction of what was mined is what its payout changed, and is posted once",
    count: "mining_customer_corrections",
    kinds: ["mining-correction"],
    documents: (among) => `
      select 'mining-correction:' || iso_day(c.day) || ':' || c.payout_id || ':' || c.customer_id as key, 'mining-correction' as kind,
             c.customer_id as owner_id, mining_legs('{available,operator_equity,pool_receivable}', 'BTC', c.change_sats + c.lost_sats, -c.lost_sats, -c.change_sats) as legs, 'payout:' || c.payout_id as source,
             null::uuid as transfer_id, null::uuid as reverses, null::timestamptz as occurred_at, null::date as day
        from mining_customer_corrections c where ${among("c.customer_id", "owner_id")}
      union all
      select 'mining-correction:' || iso_day(f.day) || ':' || f.payout_id || ':house', 'mining-correction', ${house},
             array[('operator_equity', 'BTC', f.operator_change_sats), ('pool_receivable', 'BTC', -f.operator_change_sats)]::ledger_leg[],
             'payout:' || f.payout_id, null, null, f.posted_at, null
        from mining_corrections f where f.state = 'posted' and f.operator_change_sats <> 0 and ${among("f.payout_id", idIn("payout"))}`,
  }),
  documentClaim({
    claim: "what a cancelled contract did not serve is paid back or kept once, as its plan said",
    count: "contract_endings",
    kinds: ["contract-refund", "contract-forfeit"],
    documents: (among) => `
      select 'contract-refund:' || e.contract_id as key, 'contract-refund' as kind, c.customer_id as owner_id,
             array[('available', c.coin, e.refunded_units), ('contract_prepaid', c.coin, -e.refunded_units)]::ledger_leg[] as legs,
             'contract:' || e.contract_id as source, null::uuid as transfer_id, null::uuid as reverses, e.settled_at as occurred_at,
             null::date as day
        from contract_endings e join contracts c on c.id = e.contract_id
       where e.refunded_units > 0 and ${among("e.contract_id", idIn("contract"))}
      union all
      select 'contract-forfeit:' || e.contract_id, 'contract-forfeit', ${house},
             array[('contract_prepaid', c.coin, -e.forfeited_units), ('contract_revenue', c.coin, e.forfeited_units)]::ledger_leg[],
             'contract:' || e.contract_id, null, null, e.settled_at, null
        from contract_endings e join contracts c on c.id = e.contract_id
       where e.forfeited_units > 0 and ${among("e.contract_id", idIn("contract"))}`,
  }),
  {
    claim:
      "every contract ended on the day on which its term was served, or when its clock ran out, and not before or after",
    count: "contracts",
    wrong: `
      select 'contract ' || c.id as what from contracts c
        left join contract_endings e on e.contract_id = c.id
       cross join lateral (select max(day) as day from mining_runs where state = 'posted') newest
       where c.end_reason = 'served'
             and (${servedOn("c.last_day")} is distinct from c.term_days
                  or c.last_day > c.planned_last_day and ${servedOn("c.last_day - 1")} >= c.term_days
                  or (e.served_days, e.refunded_units, e.forfeited_units) is distinct from (c.term_days, 0::numeric, 0::numeric)
                  or (select posted_at from mining_runs where day = c.last_day) is distinct from c.ended_at)
          or c.end_reason = 'unpaid-maintenance'
             and (c.last_day <> (c.ended_at at time zone 'UTC')::date - 1
                  or not exists (select from maintenance_clocks k where k.contract_id = c.id and k.state = 'expired' and k.ended_at = c.ended_at
                                    and k.ended_at >= k.expires_at))
          or c.last_day is null and c.planned_last_day <= newest.day and ${servedOn("newest.day")} >= c.term_days`,
  },
  {
    claim:
      "every settled ending counts the days that were served, and gives the rest back or keeps it as the plan says",
    count: "contract_endings",
    wrong: `
      select 'ending of ' || c.id as what from contract_endings e join contracts c on c.id = e.contract_id
        join plan_versions v on v.id = c.plan_version_id
       cross join lateral (select ${servedOn("c.last_day")} as days) served
       cross join lateral (select c.units - div(c.units * served.days, c.term_days) as units) rest
       where e.settled_at is not null and e.reason = 'unpaid-maintenance'
         and (e.served_days, e.refunded_units, e.forfeited_units) is distinct from
             (served.days, case when v.termination = 'refund-unserved' then rest.units else 0 end,
              case when v.termination = 'forfeit' then rest.units else 0 end)
      union all
      select 'ending of ' || c.id from contract_endings e join contracts c on c.id = e.contract_id
       where e.settled_at is null and c.last_day <= (select max(day) from mining_runs where state = 'posted')
         and exists (select from mining_runs r where r.state = 'posted' and r.posted_at > e.ended_at and r.day > c.last_day)`,
  },
  {
    claim: "every sum of a run is that of its customers, contracts and idle accounts",
    count: "mining_runs",
    wrong: `
      select 'run ' || r.day as what from mining_runs r
       cross join lateral (
         select coalesce(sum(d.fee_sats), 0) as due, coalesce(sum(d.paid_fee_sats), 0) as paid, count(*) as customers
           from mining_customer_days d where d.day = r.day) d
       cross join lateral (
         select coalesce(sum(div(c.ghs * 10000000 * p.maintenance_usd_micros, r.btc_usd_e8)), 0) as due, count(distinct c.customer_id) as customers
           from mining_chunks k
           join contracts c on c.customer_id = k.first_customer_id and c.starts_on <= r.day and coalesce(c.last_day, r.day) >= r.day
           join mining_run_plans p on p.day = r.day and p.plan_version_id = c.plan_version_id
          where k.day = r.day and k.correction_id is null and ${apart}) apart
       cross join lateral (
         select coalesce(sum(w.units) filter (where coin = 'BTC'), 0) as btc, coalesce(sum(w.units) filter (where coin = 'ETH'), 0) as eth,
                coalesce(sum(w.units) filter (where coin = 'USDT'), 0) as usdt
           from (select c.coin, div(c.units * ${servedOn("r.day")}, c.term_days) - case when c.starts_on = r.day then 0
                          else div(c.units * ${servedOn("r.day - 1")}, c.term_days) end as units
                   from contracts c where c.starts_on <= r.day and coalesce(c.last_day, r.day) >= r.day) w) earned
       where r.state = 'posted'
         and (r.fees_due_sats, r.fees_paid_sats, r.customers, r.earned_btc_units, r.earned_eth_units, r.earned_usdt_units, r.inactivity_sats)
             is distinct from (d.due + apart.due, d.paid, (d.customers + apart.customers)::integer, earned.btc, earned.eth, earned.usdt,
                               (select coalesce(sum(fee_sats), 0) from inactivity_fees f where f.day = r.day))`,
  },
  {
    claim:
      "every run is of the network as it was measured, and shares its payout as its hashrate says",
    count: "mining_runs",
    wrong: `
      select 'run ' || r.day as what from mining_runs r left join network_figures n on n.observed_at = r.network_observed_at
       where (n.difficulty, n.subsidy_sats, n.fees_per_block_sats) is distinct from (r.difficulty, r.subsidy_sats, r.fees_per_block_sats)
          or r.shared_ghs <> greatest(r.delivered_ghs, r.active_ghs) or r.distributable_sats <> r.payout_sats + r.carried_sats
          or r.served_ppm <> case when r.delivered_ghs >= r.active_ghs then 1000000 else div(r.delivered_ghs * 1000000, r.active_ghs) end
          or r.started_at < (r.day + 1)::timestamp at time zone 'UTC'
      union all
      select 'run ' || coalesce(p.day, c.day) || ' plan ' || coalesce(p.plan_version_id, c.plan_version_id)
        from mining_run_plans p
        full join (select r.day, c.plan_version_id, count(*) as contracts, sum(c.ghs) as ghs
                     from mining_runs r join contracts c on c.starts_on <= r.day and coalesce(c.last_day, r.day) >= r.day
                    group by r.day, c.plan_version_id) c on c.day = p.day and c.plan_version_id = p.plan_version_id
       where (p.contracts, p.ghs) is distinct from (c.contracts::integer, c.ghs)`,
  },
  {
    claim: "what is mined was posted after its day, when its run was worked out",
    count: "mining_runs",
    wrong: `
      select t.key as what from ledger_transfers t left join mining_runs r on r.day = t.day
       where (t.kind in ('mining-credit', 'inactivity-fee') or t.kind = 'maintenance-fee' and t.key not like 'maintenance-arrears:%')
         and (r.day is null or t.occurred_at < r.started_at)`,
  },
  {
    claim:
      "every fee that is owed is its contract's, of what the day's price says, and lapsed only with its contract",
    count: "maintenance_arrears",
    wrong: `
      select 'fee of ' || a.contract_id || ' on ' || a.day as what from maintenance_arrears a
        left join contracts c on c.id = a.contract_id
        left join mining_runs r on r.day = a.day
       where (a.customer_id, a.bought_at, a.usd_micros) is distinct from (c.customer_id, c.bought_at, div(a.fee_sats * r.btc_usd_e8, 10000000000))
          or a.posted_at < r.started_at or a.posted_at > coalesce((
               select k.posted_at from mining_chunks k
                where k.day = a.day and k.correction_id is null and k.set_apart_at is not null and k.first_customer_id = a.customer_id), r.posted_at)
          or a.state = 'lapsed' and (c.end_reason is null or a.closed_at < c.ended_at)
          or a.state = 'open' and c.end_reason = 'unpaid-maintenance' and exists (
               select from contract_endings e where e.contract_id = c.id and e.settled_at is not null)`,
  },
  {
    claim:
      "a clock runs for every contract that owes a fee, since the oldest, for 72 hours and as long as days were awaited",
    count: "maintenance_clocks",
    wrong: `
      select 'contract ' || coalesce(k.contract_id, a.contract_id) as what
        from (select * from maintenance_clocks where state = 'running') k
        full join (select a.contract_id, a.customer_id, min(a.posted_at) as since from maintenance_arrears a
                     join contracts c on c.id = a.contract_id and c.end_reason is distinct from 'unpaid-maintenance'
                    where a.state = 'open' group by a.contract_id, a.customer_id) a on a.contract_id = k.contract_id
       where (k.customer_id, k.started_at) is distinct from (a.customer_id, a.since)
          or k.stood <> clocks_stood(k.started_at, k.customer_id)
      union all
      select 'clock ' || k.id from maintenance_clocks k left join contracts c on c.id = k.contract_id
       where not exists (select from terms_ever where k.expires_at = k.started_at + unpaid_maintenance + k.stood) or k.customer_id is distinct from c.customer_id
          or not exists (select from maintenance_arrears a where a.contract_id = k.contract_id and a.posted_at = k.started_at)
          or k.state = 'expired' and (k.ended_at < k.expires_at or c.ended_at is null or c.ended_at > k.ended_at
                                      or c.end_reason = 'unpaid-maintenance' and c.ended_at <> k.ended_at)`,
  },
  {
    claim:
      "every fee of an idle account is of what the balance was, with its total, and of a customer without a contract",
    count: "inactivity_fees",
    wrong: `
      select 'fee of ' || f.customer_id || ' on ' || f.day as what
        from (select f.*, sum(usd_micros) over (partition by customer_id order by day) as total from inactivity_fees f) f
        left join mining_runs r on r.day = f.day
        left join ledger_transfers t on t.key = 'inactivity-fee:' || iso_day(f.day) || ':' || f.customer_id
        left join ledger_entries e on e.owner_id = f.customer_id and e.account = 'available' and e.asset = 'BTC'
                                  and e.transfer_number = t.number
       where (f.balance_sats, f.usd_micros, f.total_usd_micros) is distinct from
             (e.balance_after + f.fee_sats, div(f.fee_sats * r.btc_usd_e8, 10000000000), f.total)
          or exists (select from contracts c where c.customer_id = f.customer_id and c.starts_on <= f.day and coalesce(c.last_day, f.day) >= f.day)`,
  },
  {
    claim:
      "every correction begins with what the day or the correction before it shared, and ends with what its customers got",
    count: "mining_corrections",
    wrong: `
      select 'correction ' || f.payout_id as what
        from (select f.*, lag(payout_sats) over w as payout_before, lag(distributable_sats) over w as pot_before,
                     lag(delivered_ghs) over w as delivered_before, row_number() over w as nth
                from mining_corrections f window w as (partition by day order by number)) f
        join mining_runs r on r.day = f.day
        left join pool_payouts n on n.id = f.payout_id and n.day = f.day and n.state = 'recorded'
        left join pool_payouts o on o.id = n.corrects
       cross join lateral (select coalesce(sum(c.change_sats), 0) as change, coalesce(sum(c.lost_sats), 0) as lost
                             from mining_customer_corrections c where c.payout_id = f.payout_id) got
       where f.number <> f.nth
          or (f.payout_sats, f.distributable_sats, f.delivered_ghs, f.shared_ghs, f.payout_change_sats) is distinct from
             (coalesce(f.payout_before, r.payout_sats) + n.units - o.units, coalesce(f.pot_before, r.distributable_sats) + n.units - o.units,
              coalesce(f.delivered_before, r.delivered_ghs) + n.delivered_ghs - o.delivered_ghs, greatest(f.delivered_ghs, r.active_ghs),
              n.units - o.units)
          or f.state = 'posted' and (f.customers_change_sats, f.lost_sats, f.operator_change_sats) is distinct from
             (got.change, got.lost, f.payout_change_sats - got.change - f.reserved_sats)
      union all
      select 'correction ' || c.payout_id || ' of ' || c.customer_id from mining_customer_corrections c join mining_runs r on r.day = c.day
       where c.usd_micros <> div((c.change_sats + c.lost_sats) * r.btc_usd_e8, 10000000000)
      union all
      select 'loss of ' || customer_id || ' on ' || day from (
        select c.*, coalesce(sum(c.lost_sats) over (partition by c.customer_id, c.day order by f.number
                                                    rows between unbounded preceding and 1 preceding), 0) as lost_before
          from mining_customer_corrections c join mining_corrections f on f.payout_id = c.payout_id) c
       where change_sats > 0 and lost_sats <> -least(change_sats, lost_before)
             and not (lost_sats = -change_sats and exists (select from customers p where p.id = customer_id and p.erased_at is not null))
          or change_sats < 0 and lost_sats < 0`,
  },
  {
    claim:
      "every day that is worked out has its chunks, whose sums are the run's, and who is set apart is tried again",
    count: "mining_chunks",
    wrong: `
      select 'run ' || r.day as what from mining_runs r
        left join (select k.day, sum(k.fees_due_sats) as due, sum(k.fees_paid_sats) filter (where k.posted_at is not null) as paid,
                          sum(k.earned_btc_units) as btc, sum(k.earned_eth_units) as eth, sum(k.earned_usdt_units) as usdt,
                          sum(k.reserved_sats) filter (where ${apart}) as reserved,
                          count(*) filter (where k.posted_at is null and k.set_apart_at is null) as open
                     from mining_chunks k where k.correction_id is null group by k.day) k on k.day = r.day
       where r.state = 'posted'
         and (coalesce(k.due, 0), coalesce(k.paid, 0), coalesce(k.btc, 0), coalesce(k.eth, 0), coalesce(k.usdt, 0), coalesce(k.reserved, 0),
              coalesce(k.open, 0))
             is distinct from (r.fees_due_sats, r.fees_paid_sats, r.earned_btc_units, r.earned_eth_units, r.earned_usdt_units,
                               r.reserved_sats, 0::bigint)
      union all
      select 'chunk ' || k.id from mining_chunks k left join customers c on c.id = k.first_customer_id
       where ${apart}
         and (c.id is null or c.closed_at is not null or k.first_customer_id <> k.last_customer_id
              or k.retry_at > now() + interval '25 hours'
              or k.correction_id is null and not exists (
                   select from contracts o where o.customer_id = c.id and o.starts_on <= k.day and coalesce(o.last_day, k.day) >= k.day))`,
  },
  {
    claim:
      "every day that a person had worked out has that person's act, and no idle account paid before its notice was sent",
    count: "mining_runs",
    wrong: `
      select 'run ' || r.day as what from mining_runs r
       where r.action_id is not null and not exists (
               select from audit_log l where l.id = r.action_id and l.act = 'mining/post-day' and l.subject = 'mining-day:' || iso_day(r.day))
      union all
      select 'fee of ' || f.customer_id || ' on ' || f.day from inactivity_fees f join inactivity_notices n on n.id = f.notice_id
       where not exists (
               select from terms_ever where (n.told_at at time zone 'UTC')::date + inactivity_notice_days <= f.day)`,
  },
];
