import { documentClaim } from "../ledger/document-claim.ts";
import type { Claim } from "../ledger/verify-claims.ts";

const coin = "case d.method when 'Bitcoin' then 'BTC' when 'Ethereum' then 'ETH' else 'USDT' end";
const credited = `deposit_legs(${coin}, d.quantity_units)`;

/** What the journal must say of deposits, and what must stand behind a deposit itself. */
export const depositClaims: Claim[] = [
  documentClaim({
    claim:
      "every credited deposit is one that was approved or paid, and was taken back only with its payment",
    count: "deposits",
    kinds: ["deposit"],
    reverses: ["deposit"],
    documents: (among) => `
      select 'deposit:' || d.id as key, 'deposit' as kind, d.customer_id as owner_id, ${credited} as legs,
             'deposit:' || d.id as source, d.transfer_id, null::uuid as reverses, d.reviewed_at as occurred_at, null::date as day
        from deposits d where d.state in ('approved', 'orphaned', 'reversed') and ${among("d.transfer_id", "id")}
      union all
      select 'deposit-reversal:' || d.id, 'reversal', d.customer_id,
             array[('available', ${coin}, -d.quantity_units), ('custody', ${coin}, d.quantity_units)]::ledger_leg[],
             'deposit:' || d.id, d.reversal_id, d.transfer_id, null, null
        from deposits d where d.state = 'reversed' and ${among("d.reversal_id", "id")}`,
  }),
  documentClaim({
    claim: "what is put aside for a deposit is what a credit that was taken back still lacks",
    count: "deposits",
    kinds: ["hold", "hold-release"],
    documents: (among) => `
        select t.key, t.kind, d.customer_id as owner_id,
               case t.kind when 'hold' then array[('available', ${coin}, -m.units), ('held', ${coin}, m.units)]::ledger_leg[]
                           else array[('available', ${coin}, m.units), ('held', ${coin}, -m.units)]::ledger_leg[] end as legs,
               'deposit:' || d.id as source, null::uuid as transfer_id, null::uuid as reverses, null::timestamptz as occurred_at,
               null::date as day
          from ledger_transfers t
         cross join lateral (select abs((t.legs[1]).units) as units) m
          join deposits d on t.source = 'deposit:' || d.id and d.payment_id is not null and d.orphaned_at is not null
                         and m.units <= d.quantity_units
         where t.kind in ('hold', 'hold-release') and ${among("t.id", "id")}`,
  }),
  {
    claim: "what is held of a deposit is the sum of what was put aside for it",
    count: "deposits",
    wrong: `
      select coalesce('deposit ' || d.id, moved.source) as what
        from (select * from deposits where held_units <> 0) d
        full join (select t.source, sum(case t.kind when 'hold' then 1 else -1 end * abs((t.legs[1]).units)) as units
                     from ledger_transfers t where t.kind in ('hold', 'hold-release') group by t.source) moved
          on moved.source = 'deposit:' || d.id
       where coalesce(d.held_units, 0) <> coalesce(moved.units, 0)`,
  },
  {
    claim:
      "every deposit was reviewed by an act of staff on it, or is what a payment on the chain brought to its customer",
    count: "deposits",
    wrong: `
      select 'deposit ' || d.id as what from deposits d
       where d.state <> 'pending' and case when d.payment_id is null
               then not exists (select from audit_log a where a.id = d.review_action_id and a.subject = 'deposit:' || d.id
                                   and a.customer_id = d.customer_id and a.occurred_at = d.reviewed_at
                                   and a.act = case d.state when 'rejected' then 'deposits/reject' else 'deposits/approve' end)
               else not exists (select from chain_payments p join deposit_addresses a on a.address = p.address
                                 where p.id = d.payment_id and a.customer_id = d.customer_id and p.asset = ${coin}
                                   and (p.txid, p.output_index, p.units) = (d.txid, d.output_index, d.quantity_units)
                                   and p.seen_at <= d.reviewed_at) end`,
  },
  {
    claim: "no payment is credited twice, or is a pool's or the operator's as well",
    count: "deposits",
    wrong: `
      select 'transaction ' || d.txid as what
        from deposits d join deposits e on e.txid = d.txid and e.id > d.id and e.state <> 'reversed'
         and (e.output_index is null or d.output_index is null or e.output_index = d.output_index)
       where d.state <> 'reversed'
      union all
      select 'transaction ' || d.txid from deposits d join pool_payouts p on p.txid = d.txid and payout_counts(p)
       where d.state in ('approved', 'orphaned') and d.payment_id is null and is_in_chain(d) is null
      union all
      select 'transaction ' || d.txid from deposits d
        join adjustments a on a.txid = d.txid and a.state = 'approved'
         and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')
       where d.state in ('approved', 'orphaned')`,
  },
  {
    claim:
      "every payment that counts as settled has its deposit, and the deposit of every payment settled it",
    count: "chain_payments",
    wrong: `
      select 'payment ' || p.id as what from chain_payments p
       where p.settled_at is not null and not exists (
               select from deposits d where d.state in ('approved', 'orphaned')
                  and (d.payment_id = p.id or d.payment_id is null and d.txid = p.txid
                       and (d.output_index is null or d.output_index = p.output_index)))
          or p.settled_at is null and exists (select from deposits d where d.payment_id = p.id and d.state in ('approved', 'orphaned'))`,
  },
  {
    claim:
      "every deposit's dollars are what its price says, what was claimed, or what was corrected when it was approved",
    count: "deposits",
    wrong: `
      select 'deposit ' || d.id as what from deposits d
       cross join lateral (select power(10::numeric, 6 + case d.method when 'Bitcoin' then 8 when 'Ethereum' then 18 else 6 end) as scale) s
        left join market_prices p on p.id = coalesce(d.payment_price_id, d.price_id)
       where p.id is not null and (not p.kept or p.asset <> ${coin})
          or d.slip_id is null and d.usd_cents is not null
             and d.usd_cents is distinct from div(d.quantity_units * p.usd_e8 + div(s.scale, 2), s.scale)
          or d.slip_id is not null and d.usd_cents <> d.claimed_usd_cents
             and not (d.review_action_id is not null and d.state <> 'rejected')`,
  },
];
