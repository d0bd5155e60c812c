import { bounds } from "#core/payments/bounds.ts";
import { anotherCouldLook, isMoreThan } from "../identity/audit/alone.ts";
import { documentClaim } from "../ledger/verify/document-claim.ts";
import type { Claim } from "../ledger/verify/verify-claims.ts";

const paid = `
  coalesce(b.mined_version_id is not null and w.id = any (v.pays), false) or coalesce(p.outcome = 'paid', false)`;
const ofBatch = `
  left join withdrawal_batches b on b.id = w.batch_id
  left join withdrawal_batch_versions v on v.id = b.mined_version_id
  left join withdrawal_payments p on p.withdrawal_id = w.id`;

/** A condition: an act of staff of this name stands behind a column, by the person of another, on this subject. */
const did = (act: string, column: string, person: string, subject: string) => `
  exists (select from audit_log a where a.id = ${column} and a.act = ${act} and a.subject = ${subject} and a.operator_id = ${person})`;
/** The act that begins a batch. */
const formedBy =
  "case b.purpose when 'consolidation' then 'withdrawals/consolidate' else 'withdrawals/form-batch' end";

/** What the ledger must say of withdrawals, and what must stand behind a withdrawal itself. */
export const withdrawalClaims: Claim[] = [
  documentClaim({
    claim:
      "every withdrawal is debited once when it is asked for, and its end is posted once, as it ended",
    count: "withdrawals",
    kinds: ["withdrawal-request", "withdrawal-sent", "withdrawal-cancelled"],
    documents: (among) => `
      select 'withdrawal-request:' || w.id as key, 'withdrawal-request' as kind, w.customer_id as owner_id,
             array[('available', w.asset, -w.units), ('held', w.asset, w.units)]::ledger_leg[] as legs,
             'withdrawal:' || w.id as source, w.request_transfer_id as transfer_id, null::uuid as reverses,
             w.requested_at as occurred_at, null::date as day
        from withdrawals w where ${among("w.request_transfer_id", "id")}
      union all
      select 'withdrawal-sent:' || w.id, 'withdrawal-sent', w.customer_id,
             array[('custody', w.asset, w.units - w.fee_units), ('held', w.asset, -w.units)]::ledger_leg[]
               || case when w.fee_units > 0 then array[('withdrawal_fee_revenue', w.asset, w.fee_units)]::ledger_leg[] else '{}' end,
             'withdrawal:' || w.id, w.end_transfer_id, null, w.ended_at, null
        from withdrawals w where w.state = 'settled' and ${among("w.end_transfer_id", "id")}
      union all
      select 'withdrawal-cancelled:' || w.id, 'withdrawal-cancelled', w.customer_id,
             array[('available', w.asset, w.units), ('held', w.asset, -w.units)]::ledger_leg[],
             'withdrawal:' || w.id, w.end_transfer_id, null, w.ended_at, null
        from withdrawals w where w.state in ('cancelled', 'rejected', 'returned') and ${among("w.end_transfer_id", "id")}`,
  }),
  documentClaim({
    claim:
      "every fee of the network is that of a transaction that a block took, and is posted once",
    count: "withdrawal_batches",
    kinds: ["network-fee"],
    documents: (among) => `
      select 'network-fee:' || b.id as key, 'network-fee' as kind, '00000000-0000-0000-0000-000000000000'::uuid as owner_id,
             array[('custody', 'BTC', v.fee_units), ('network_fee_expense', 'BTC', -v.fee_units)]::ledger_leg[] as legs,
             'withdrawal-batch:' || b.id as source, b.fee_transfer_id as transfer_id, null::uuid as reverses,
             b.ended_at as occurred_at, null::date as day
        from withdrawal_batches b join withdrawal_batch_versions v on v.id = b.mined_version_id
       where b.state = 'settled' and b.chain = 'bitcoin' and ${among("b.fee_transfer_id", "id")}
      union all
      select 'network-fee:' || p.withdrawal_id, 'network-fee', '00000000-0000-0000-0000-000000000000',
             array[('custody', 'ETH', p.fee_units), ('network_fee_expense', 'ETH', -p.fee_units)]::ledger_leg[],
             'withdrawal:' || p.withdrawal_id, p.fee_transfer_id, null, p.ended_at, null
        from withdrawal_payments p where p.ended_at is not null and p.fee_units > 0 and ${among("p.fee_transfer_id", "id")}`,
  }),
  {
    claim:
      "every withdrawal that left was confirmed, approved by an act of who approved it, and paid by its batch's transaction",
    count: "withdrawals",
    wrong: `
      select 'withdrawal ' || w.id as what from withdrawals w ${ofBatch}
       where w.state in ('approved', 'batched', 'broadcast', 'settled', 'returned')
             and (w.confirmed_at is null or w.confirmed_at > w.confirm_by
                  or not ${did("'withdrawals/approve'", "w.approved_by_act", "w.approved_by", "'withdrawal:' || w.id")})
          or w.state in ('batched', 'broadcast', 'settled', 'returned')
             and (b.id is null or b.formed_at < w.payable_from or b.day < w.due_on or (b.chain = 'bitcoin') <> (w.asset = 'BTC'))
          or w.state = 'settled' and not (${paid})
          or w.state = 'returned' and (b.ended_at is null and p.ended_at is null or ${paid})
          or w.state in ('requested', 'confirmed', 'approved', 'batched', 'broadcast') and (${paid})`,
  },
  {
    claim:
      "every withdrawal that came back was ended by its customer, by time, by the chain, or by an act of staff on it",
    count: "withdrawals",
    wrong: `
      select 'withdrawal ' || w.id as what from withdrawals w
       where w.state in ('cancelled', 'rejected', 'returned') and (w.ended_by is null or (w.ended_by = 'chain') <> (w.state = 'returned'))
          or w.state = 'rejected' and not exists (
               select from audit_log a where a.id = w.ended_by_act and a.act = 'withdrawals/reject' and a.subject = 'withdrawal:' || w.id)`,
  },
  {
    claim:
      "every withdrawal goes to an address of its customer's book, which was usable when its batch was formed",
    count: "withdrawals",
    wrong: `
      select 'withdrawal ' || w.id as what from withdrawals w
        join customers c on c.id = w.customer_id and c.erased_at is null
       where not exists (select from withdrawal_addresses a
                          where a.customer_id = w.customer_id and a.asset = w.asset and a.address = w.address
                            and a.usable_from = w.payable_from)`,
  },
  {
    claim:
      "every batch was formed, signed and ordered by acts of staff, by two people above the limit or where it pays nobody",
    count: "withdrawal_batches",
    wrong: `
      select 'batch ' || b.id as what from withdrawal_batches b
       where not ${did(formedBy, "b.formed_by_act", "b.formed_by", "'withdrawal-batch:' || b.id")}
          or b.purpose = 'consolidation' and not b.needs_two
      union all
      select 'version ' || v.id from withdrawal_batch_versions v join withdrawal_batches b on b.id = v.batch_id
       where not ${did(`case v.number when 1 then ${formedBy} else 'withdrawals/rebuild-batch' end`, "v.made_by_act", "v.made_by", "'withdrawal-batch:' || b.id")}
          or v.signed_at is not null
             and not ${did("'withdrawals/upload-signed'", "v.signed_by_act", "v.signed_by", "'withdrawal-batch:' || b.id")}
          or v.ordered_at is not null
             and (not ${did("'withdrawals/order-broadcast'", "v.ordered_by_act", "v.ordered_by", "'withdrawal-batch:' || b.id")}
                  or b.needs_two and v.ordered_by in (b.formed_by, v.made_by)
                  or (v.alone_at is not null) <> (v.ordered_by in (b.formed_by, v.made_by)))
          or v.sent_at is not null and v.ordered_at is null
      union all
      select 'version ' || v.id from withdrawal_batch_versions v
       where v.alone_at is not null and not exists (select from audit_log where id = v.ordered_by_act and detail ? 'alone')
         and (cardinality(v.pays) = 0 or exists (
               select from sum_leaving(array(
                        select o from withdrawal_batch_versions o
                         where o.ordered_by = v.ordered_by and o.alone_at between v.alone_at - interval '24 hours' and v.alone_at
                         order by o.alone_at, o.id)) s
                where s.of_last and ${isMoreThan("orderedAlone", { units: "s.units", coin: "s.asset" })}))
         and ${anotherCouldLook("v.ordered_by", "v.alone_at")}`,
  },
  {
    claim:
      "what each version of a batch spends is what it pays, its change and its fee, of coins and withdrawals of its own batch",
    count: "withdrawal_batch_versions",
    wrong: `
      select 'version ' || v.id as what from withdrawal_batch_versions v join withdrawal_batches b on b.id = v.batch_id
       where exists (select from unnest(v.pays) paid where not exists (
               select from withdrawals w where w.id = paid and w.batch_id = v.batch_id))
          or b.purpose = 'consolidation' and (cardinality(v.pays) > 0 or exists (select from withdrawals w where w.batch_id = b.id))
          or b.chain = 'bitcoin' and (
               not (b.anchor_txid || ':' || b.anchor_vout) = any (v.spends)
               or (select coalesce(sum(c.units), 0) from withdrawal_batch_coins c where c.batch_id = v.batch_id and c.txid || ':' || c.vout = any (v.spends))
                  <> v.fee_units + v.change_units
                     + (select coalesce(sum(w.units - w.fee_units), 0) from withdrawals w where w.id = any (v.pays))
               or v.fee_units > ${bounds.smallFee.BTC} and v.fee_units * 10
                  > coalesce((select sum(w.units - w.fee_units) from withdrawals w where w.id = any (v.pays)), v.change_units))
          or b.chain = 'ethereum' and v.signed_at is not null and v.fee_units <> (
               select sum(t.gas_limit) * v.max_fee_per_gas from withdrawal_transactions t where t.version_id = v.id)`,
  },
  {
    claim:
      "the mark of each version of a batch is the digest of a day, none older than that of the version before, and is in its transaction",
    count: "withdrawal_batch_versions",
    wrong: `
      select 'version ' || id as what from (
        select v.*, d.day as marked, max(d.day) over (partition by v.batch_id order by v.number) as newest
          from withdrawal_batch_versions v left join proof_days d on d.digest = v.mark) v
       where mark is not null
         and (marked is null or marked < newest or txid is null or cardinality(pays) = 0
              or position('\\x0000000000000000266a2441534159'::bytea || mark in unsigned) = 0
              or raw is not null and position('\\x0000000000000000266a2441534159'::bytea || mark in raw) = 0)
          or mark is null and cardinality(pays) > 0 and newest is not null`,
  },
  {
    claim:
      "every batch that people ended was ended by two, each by an act on it, when no version of it could be mined, and every other by its block",
    count: "withdrawal_abandonments",
    wrong: `
      select 'proposal ' || e.id as what from withdrawal_abandonments e
       where not ${did("'withdrawals/propose-abandonment'", "e.proposed_by_act", "e.proposed_by", "'withdrawal-batch:' || e.batch_id")}
          or e.state = 'confirmed'
             and (e.decided_by = e.proposed_by
                  or not ${did("'withdrawals/confirm-abandonment'", "e.decided_by_act", "e.decided_by", "'withdrawal-batch:' || e.batch_id")})
          or e.state = 'declined'
             and not ${did("'withdrawals/decline-abandonment'", "e.decided_by_act", "e.decided_by", "'withdrawal-batch:' || e.batch_id")}
      union all
      select 'batch ' || b.id from withdrawal_batches b
        left join withdrawal_abandonments e on e.id = b.abandonment_id and e.batch_id = b.id and e.state = 'confirmed'
       where b.abandonment_id is not null
             and (e.id is null or b.state <> 'failed' or b.mined_hash is not null or not may_be_abandoned(b)
                  or exists (select from withdrawal_payments p where p.batch_id = b.id and p.outcome is distinct from 'abandoned'))
          or b.abandonment_id is null
             and (b.chain = 'bitcoin' and b.ended_at is not null and b.mined_hash is null
                  or exists (select from withdrawal_payments p where p.batch_id = b.id and p.outcome = 'abandoned'))`,
  },
  {
    claim:
      "every batch of Ethereum pays each of its withdrawals by one nonce, and payment exceptions end by two people",
    count: "withdrawal_payments",
    wrong: `
      select 'payment ' || p.withdrawal_id as what from withdrawal_payments p
        left join withdrawals w on w.id = p.withdrawal_id and w.batch_id = p.batch_id and (w.asset = 'ETH') = (p.token is null)
       where w.id is null
          or p.resolution_id is not null and not exists (
               select from withdrawal_resolutions r where r.id = p.resolution_id and r.withdrawal_id = p.withdrawal_id and r.state = 'confirmed'
                  and r.says = p.outcome and r.txid = p.mined_txid and r.proposed_by <> r.decided_by)
      union all
      select 'resolution ' || r.id from withdrawal_resolutions r
       where not ${did("'withdrawals/propose-resolution'", "r.proposed_by_act", "r.proposed_by", "'withdrawal:' || r.withdrawal_id")}
          or r.state = 'confirmed'
             and not ${did("'withdrawals/confirm-resolution'", "r.decided_by_act", "r.decided_by", "'withdrawal:' || r.withdrawal_id")}`,
  },
  {
    claim:
      "every withdrawal goes where its request in the ledger and the act of who approved it say, and is worth what its price says",
    count: "withdrawals",
    wrong: `
      select 'withdrawal ' || w.id as what from withdrawals w
       cross join lateral (select power(10::numeric, 6 + case w.asset when 'BTC' then 8 when 'ETH' then 18 else 6 end) as scale) s
        left join ledger_transfers t on t.id = w.request_transfer_id
        left join audit_log l on l.id = w.approved_by_act
        left join market_prices p on p.id = w.price_id and p.pinned and p.asset = w.asset
       where t.memo like 'To %' and t.memo <> 'To ' || w.address
          or l.detail ? 'address' and l.detail ->> 'address' <> w.address
          or l.detail ? 'amount'
             and split_part(l.detail ->> 'amount', ' ', 1)::numeric * s.scale / 1000000 is distinct from w.units
          or l.detail ? 'amount' and split_part(l.detail ->> 'amount', ' ', 2) <> w.asset
          or w.usd_cents is distinct from div(w.units * p.usd_e8 + div(s.scale, 2), s.scale)`,
  },
  {
    claim:
      "every withdrawal waited for its address, its confirmation and its day, and every address of a book for a day",
    count: "withdrawals",
    wrong: `
      select 'withdrawal ' || w.id as what from withdrawals w left join audit_log l on l.id = w.approved_by_act
       where w.due_on <> (greatest(w.requested_at, w.payable_from) at time zone 'UTC')::date + 1
          or w.confirm_by > w.requested_at + interval '24 hours'
          or w.confirmed_at < w.requested_at
          or w.approved_at < w.confirmed_at or w.approved_at <> l.occurred_at
          or w.ended_at < w.requested_at
      union all
      select 'address ' || a.id from withdrawal_addresses a where a.usable_from < a.added_at + interval '24 hours'`,
  },
  {
    claim:
      "every batch needs two people where the act that formed it says so, and is in a block that came after it and is of the chain",
    count: "withdrawal_batches",
    wrong: `
      select 'batch ' || b.id as what from withdrawal_batches b
        left join audit_log l on l.id = b.formed_by_act
        left join chain_blocks k on k.chain = b.chain and k.height = b.mined_height
       where l.detail ? 'needsTwo' and (l.detail ->> 'needsTwo')::boolean <> b.needs_two
          or (b.mined_hash is null) <> (b.mined_height is null)
          or b.mined_height <= b.formed_height
          or k.hash <> b.mined_hash
          or b.mined_version_id is not null
             and not exists (select from withdrawal_batch_versions v where v.id = b.mined_version_id and v.batch_id = b.id)
      union all
      select 'payment ' || p.withdrawal_id from withdrawal_payments p
        join chain_blocks k on k.chain = 'ethereum' and k.height = p.mined_height and k.hash <> p.mined_hash`,
  },
];
