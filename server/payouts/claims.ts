import { documentClaim } from "../ledger/document-claim.ts";
import type { Claim } from "../ledger/verify-claims.ts";

const house = "'00000000-0000-0000-0000-000000000000'::uuid";

/** What the journal must say of payouts, and what must stand behind a payout itself. */
export const payoutClaims: Claim[] = [
  documentClaim({
    claim:
      "every payout in the journal is one that was recorded, to the satoshi, and was taken back only by its correction",
    count: "pool_payouts",
    kinds: ["pool-payout"],
    reverses: ["pool-payout"],
    documents: (among) => `
      select 'pool-payout:' || p.id as key, 'pool-payout' as kind, ${house} as owner_id,
             array[('custody', 'BTC', -p.units), ('pool_receivable', 'BTC', p.units)]::ledger_leg[] as legs,
             'payout:' || p.id as source, p.transfer_id, null::uuid as reverses, p.decided_at as occurred_at, null::date as day
        from pool_payouts p where p.state = 'recorded' and p.units > 0 and ${among("p.transfer_id", "id")}
      union all
      select 'pool-payout-reversal:' || p.id, 'reversal', ${house},
             array[('custody', 'BTC', p.units), ('pool_receivable', 'BTC', -p.units)]::ledger_leg[],
             'payout:' || p.id, null, p.transfer_id, n.decided_at, null
        from pool_payouts p join pool_payouts n on n.corrects = p.id and n.state = 'recorded'
       where p.units > 0 and ${among("p.transfer_id", "reverses")}`,
  }),
  {
    claim:
      "every payout rests on evidence that is kept, and on acts of staff on it, of two people where it takes two",
    count: "pool_payouts",
    wrong: `
      select 'payout ' || p.id as what from pool_payouts p
        left join audit_log proposed on proposed.id = p.proposal_action_id
        left join audit_log decided on decided.id = p.decision_action_id and decided.subject = 'payout:' || p.id
       where p.txid is null and p.statement_id is null
          or p.statement_id is not null and not exists (
               select from pool_statements s where s.id = p.statement_id and s.pool_id = p.pool_id and s.sha256 = sha256(s.content))
          or proposed.id is null and not exists (select from pool_statements s where s.id = p.statement_id and s.source = 'api')
          or p.state = 'refused' and decided.act is distinct from 'payouts/refuse'
          or p.state = 'recorded' and (p.corrects is not null or p.units > (
               select coalesce(max(second_person_above_sats), 100000000) from payout_limits))
             and (decided.act is distinct from 'payouts/confirm' or decided.operator_id is not distinct from proposed.operator_id)`,
  },
  {
    claim: "every payout whose transaction also paid a customer was seen by two people",
    count: "pool_payouts",
    // What was read in the hour before was perhaps not yet there for who recorded the payout.
    wrong: `
      select 'payout ' || p.id as what from pool_payouts p
       where p.state = 'recorded' and p.units > 0
         and exists (select from chain_payments c left join payment_rulings r on r.id = c.ruling_id
                      where c.txid = p.txid and c.customer_id is not null and c.state in ('seen', 'mined')
                        and c.changed_at < p.decided_at - interval '1 hour'
                        and (c.ruled_as is distinct from 'operators' or r.decided_at > p.decided_at))
         and not exists (select from audit_log decided join audit_log proposed on proposed.id = p.proposal_action_id
                          where decided.id = p.decision_action_id and decided.act = 'payouts/confirm' and decided.subject = 'payout:' || p.id
                            and decided.operator_id <> proposed.operator_id)`,
  },
  {
    claim:
      "every pool paid for days on which it counts, once a day but for corrections, each of a payout of the same day",
    count: "pool_payouts",
    wrong: `
      select 'payout ' || p.id as what from pool_payouts p join pools o on o.id = p.pool_id
       where p.day not between o.counts_from and coalesce(o.counts_until, 'infinity')
      union all
      select 'payout ' || p.id from pool_payouts p left join pool_payouts o on o.id = p.corrects
       where p.corrects is not null and ((o.pool_id, o.day) is distinct from (p.pool_id, p.day) or o.state <> 'recorded')
      union all
      select 'pool ' || pool_id || ' on ' || day from pool_payouts where state <> 'refused' and corrects is null
       group by pool_id, day having count(*) > 1`,
  },
];
