import { anotherCouldLook, isMoreThan } from "../identity/audit/alone.ts";
import { documentClaim } from "../ledger/verify/document-claim.ts";
import type { Claim } from "../ledger/verify/verify-claims.ts";

const coin = "coin_of(d.method)";
const credited = `deposit_legs(${coin}, d.quantity_units)`;

/** What the chain showed of a deposit, by its payment or by the transaction that staff named. */
const ofDeposit =
  "(p.id = d.payment_id or d.payment_id is null and p.txid = d.txid and (d.output_index is null or d.output_index = p.output_index))";
/** A condition on own money: nobody took it back. */
const stands =
  "a.state = 'approved' and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')";
/** A condition: a resolution's person did this, on this resolution. */
const did = (act: string, column: string, person: string) => `
  exists (select from audit_log l where l.id = ${column} and l.operator_id = ${person} and l.act = 'deposits/${act}-resolution'
             and l.subject = 'payment-resolution:' || r.id)`;

/** What the ledger must say of deposits, and what must stand behind a deposit itself. */
export const depositClaims: Claim[] = [
  documentClaim({
    claim:
      "every credited deposit is one that was approved or paid, and was taken back only with its payment or as a mistake",
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
          join deposits d on t.source = 'deposit:' || d.id and d.orphaned_at is not null
                         and m.units <= d.quantity_units
         where t.kind in ('hold', 'hold-release') and ${among("t.number", "number")}`,
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
                                   and a.act = any (case d.state when 'rejected' then '{deposits/reject}'
                                                      else '{deposits/approve,deposits/confirm-approval}' end::text[]))
               else not exists (select from chain_payments p join deposit_addresses a on a.address = p.address
                                 where p.id = d.payment_id and (a.customer_id, p.customer_id) = (d.customer_id, d.customer_id) and p.asset = ${coin}
                                   and (p.txid, p.output_index, p.units) = (d.txid, d.output_index, d.quantity_units)
                                   and p.seen_at <= d.reviewed_at) end
      union all
      select 'deposit ' || d.id from deposits d
        join chain_payments p on (p.txid, p.output_index) = (d.txid, d.output_index) and p.state in ('seen', 'mined') and p.customer_id <> d.customer_id
       where d.payment_id is null and d.state in ('approved', 'orphaned')`,
  },
  {
    claim:
      "what staff approved of slips is what two people said, or within what one person approves alone of what no payment shows",
    count: "deposits",
    // PostgreSQL took no act that says there was nobody, while there was.
    wrong: `
      select 'deposit ' || d.id as what from deposits d
        join audit_log a on a.id = d.review_action_id and a.act = 'deposits/confirm-approval'
       where not exists (select from deposit_approvals p
                          where p.deposit_id = d.id and p.state = 'confirmed' and p.decided_by_act = a.id and p.decided_by = a.operator_id
                            and p.usd_cents = d.usd_cents and (p.quantity_units, p.txid) = (d.quantity_units, d.txid)
                            and p.output_index is not distinct from d.output_index
                            and exists (select from audit_log l where l.id = p.proposed_by_act and l.act = 'deposits/propose-approval'
                                           and l.subject = a.subject and l.operator_id = p.proposed_by))
      union all
      select 'deposit ' || alone.id
        from (select d.id, d.alone_at, a.operator_id, ${coin} as coin,
                     sum(d.quantity_units) over (partition by a.operator_id, d.method order by d.alone_at
                                                 range between interval '24 hours' preceding and current row) as of_a_day
                from deposits d join audit_log a on a.id = d.review_action_id and a.operator_id is not null and not a.detail ? 'alone'
               where d.alone_at is not null) alone
       where ${isMoreThan("approvedAlone", { units: "alone.of_a_day", coin: "alone.coin" })}
         and ${anotherCouldLook("alone.operator_id", "alone.alone_at")}`,
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
      select 'transaction ' || d.txid from deposits d join adjustments a on a.txid = d.txid and ${stands}
        left join chain_payments p on p.id = d.payment_id
       where d.state in ('approved', 'orphaned')
         and case a.kind
               when 'equity-drawing' then is_in_chain(d) is null
               when 'equity-funding' then d.payment_id is null
                 or (a.asset, a.units) = (${coin}, d.quantity_units) and p.resolved_as is distinct from 'customers'
               else p.resolved_as is distinct from 'customers' end
      union all
      select 'payout ' || o.id from pool_payouts o join adjustments a on a.txid = o.txid and ${stands}
       where o.state = 'recorded' and payout_counts(o)
      union all
      -- What is the operator's after all is a payout's, or own money, only when its credit is taken back whole.
      select 'payout ' || o.id from pool_payouts o
        join chain_payments p on p.txid = o.txid and p.units = o.units and p.resolved_as = 'operators'
        join payment_resolutions r on r.id = p.resolution_id and r.decided_at < o.decided_at - interval '1 minute'
        join deposits d on ${ofDeposit} and d.state in ('approved', 'orphaned')
       where o.state = 'recorded' and payout_counts(o)
      union all
      select 'adjustment ' || a.id from adjustments a
        join chain_payments p on p.txid = a.txid and p.resolved_as = 'operators'
        join payment_resolutions r on r.id = p.resolution_id and r.decided_at < a.decided_at - interval '1 minute'
        join deposits d on ${ofDeposit} and d.state in ('approved', 'orphaned')
       where ${stands}`,
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
          or p.settled_at is null and exists (select from deposits d where d.payment_id = p.id and d.state in ('approved', 'orphaned'))
          or p.settled_at is not null and p.customer_id is null
          or p.resolved_as = 'set-aside' and (p.settled_at is not null or exists (
               select from deposits d where ${ofDeposit} and d.state in ('approved', 'orphaned')
                  -- A slip without an output may be for another one of the transaction.
                  and (d.output_index is not null or d.customer_id = p.customer_id)))`,
  },
  {
    claim:
      "every credit that was taken back, or is being, is of a payment that left the chain, or that two people said was the operator's or a mistake, and every mistake is taken back",
    count: "deposits",
    wrong: `
      select 'deposit ' || d.id as what from deposits d
       where d.state in ('orphaned', 'reversed') and d.resolution_id is null
         and not exists (select from chain_payments p
                          where ${ofDeposit} and p.customer_id is not null
                            and (d.payment_id is null or p.orphaned_at is not null or p.resolved_as = 'operators'))
      union all
      select 'deposit ' || d.id from deposits d left join payment_resolutions r on r.id = d.resolution_id
       where d.resolution_id is not null
         and ((r.deposit_id, r.state) is distinct from (d.id, 'confirmed') or d.review_action_id is null
              -- The next pass over payments takes it back.
              or d.state = 'approved' and r.decided_at < now() - interval '1 hour')
      union all
      select 'resolution ' || r.id from payment_resolutions r
       where r.says = 'mistaken' and r.state = 'confirmed'
         and not exists (select from deposits d where d.id = r.deposit_id and d.resolution_id = r.id)`,
  },
  {
    claim:
      "every resolution on payments and deposits was proposed by one person and confirmed by another, each by an act on it, and every payment is what its newest one says",
    count: "payment_resolutions",
    wrong: `
      select 'resolution ' || r.id as what from payment_resolutions r
       where not ${did("propose", "r.proposed_by_act", "r.proposed_by")}
          or r.state = 'confirmed' and (not ${did("confirm", "r.decided_by_act", "r.decided_by")} or r.decided_by = r.proposed_by)
          or r.state = 'declined' and not ${did("decline", "r.decided_by_act", "r.decided_by")}
          or (r.deposit_id is null) <> exists (select from resolved_payments o where o.resolution_id = r.id)
      union all
      select 'payment ' || p.id from chain_payments p
        left join lateral (select r.id, r.says from resolved_payments o join payment_resolutions r on r.id = o.resolution_id and r.state = 'confirmed'
                            where o.payment_id = p.id order by r.decided_at desc, r.id desc limit 1) newest on true
       where (p.resolution_id, p.resolved_as) is distinct from (newest.id, newest.says)`,
  },
  {
    claim:
      "every deposit's dollars are what its price says, what was claimed, or what was corrected when it was approved",
    count: "deposits",
    wrong: `
      select 'deposit ' || d.id as what from deposits d
       cross join lateral (select power(10::numeric, 6 + case d.method when 'Bitcoin' then 8 when 'Ethereum' then 18 else 6 end) as scale) s
        left join market_prices p on p.id = coalesce(d.payment_price_id, d.price_id)
       where p.id is not null and (not p.pinned or p.asset <> ${coin})
          or d.slip_id is null and d.usd_cents is not null
             and d.usd_cents is distinct from div(d.quantity_units * p.usd_e8 + div(s.scale, 2), s.scale)
          or d.slip_id is not null and d.usd_cents <> d.claimed_usd_cents
             and not (d.review_action_id is not null and d.state <> 'rejected')`,
  },
  {
    claim:
      "every deposit of a slip has the slip of its customer, and every slip that was sent its deposit",
    count: "deposit_slips",
    wrong: `
      select 'deposit ' || d.id as what from deposits d left join deposit_slips s on s.id = d.slip_id and s.customer_id = d.customer_id
       where d.slip_id is not null and (s.id is null or s.submitted_at is null or d.declared_on > (d.created_at + interval '1 day')::date)
      union all
      select 'slip ' || s.id from deposit_slips s left join deposits d on d.slip_id = s.id
       where s.submitted_at is not null and d.id is null`,
  },
  {
    claim:
      "every payment is its address's owner's, in a block of the chain that we know, and is credited while it is there, with its confirmations",
    count: "chain_payments",
    // What left the chain is taken back by a later pass; after a day of reading on, it should have been.
    wrong: `
      select 'payment ' || p.id as what from chain_payments p
        left join deposit_addresses a on a.address = p.address
        left join chain_blocks b on b.chain = p.chain and b.height = p.block_height
        left join chain_positions o on o.chain = p.chain
        left join chain_transactions t on t.chain = p.chain and t.txid = p.txid
       where p.customer_id is distinct from a.customer_id
          or t.txid is null
          or p.state = 'mined' and (b.hash <> p.block_hash or p.block_height > o.height)
          or (p.state = 'mined') <> (p.block_hash is not null)
          or p.resolved_as is not null and p.resolution_id is null
      union all
      select 'payment ' || p.id from deposits d join chain_payments p on p.id = d.payment_id
        left join chain_positions o on o.chain = p.chain
       where d.state = 'approved' and p.state <> 'mined' and (p.orphaned_at is null or p.changed_at < o.read_at - interval '1 day')
      union all
      select 'deposit ' || d.id from deposits d
       where d.payment_id is not null and d.state <> 'pending' and coalesce(d.confirmations, 0) < 1`,
  },
];
