import { anotherCouldLook, isMoreThan } from "../identity/audit/alone.ts";
import { documentClaim } from "../ledger/verify/document-claim.ts";
import type { Claim } from "../ledger/verify/verify-claims.ts";

const house = "'00000000-0000-0000-0000-000000000000'::uuid";

/** Above how many satoshis two people were needed at a time. */
const limitAt = (at: string) => `coalesce((select t.second_person_above_sats from payout_limits t
  where t.created_at <= ${at} order by t.number desc limit 1), 100000000)`;

/** What the ledger must say of payouts, and what must stand behind a payout itself. */
export const payoutClaims: Claim[] = [
  documentClaim({
    claim:
      "every payout in the ledger is one that was recorded, to the satoshi, and was taken back only by its correction",
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
       where p.txid is null and p.statement_id is null and (p.units, p.delivered_ghs) <> (0, 0)
          or p.statement_id is not null and not exists (
               select from pool_statements s where s.id = p.statement_id and s.pool_id = p.pool_id and s.sha256 = sha256(s.content))
          or proposed.id is null and not exists (select from pool_statements s where s.id = p.statement_id and s.source = 'api')
          or p.state = 'refused' and decided.act is distinct from 'payouts/refuse'
          or p.state = 'recorded' and (p.corrects is not null or p.unseen_reason is not null or not p.covered and p.units > (
               select coalesce(max(second_person_above_sats), 100000000) from payout_limits))
             and (decided.act is distinct from 'payouts/confirm' or decided.operator_id is not distinct from proposed.operator_id)`,
  },
  {
    claim: "every payout whose transaction also paid a customer was seen by two people",
    count: "pool_payouts",
    // What was read in the hour before was perhaps not yet there for who recorded the payout.
    wrong: `
      select 'payout ' || p.id as what from pool_payouts p
       where p.state = 'recorded' and p.units > 0 and not p.covered
         and exists (select from chain_payments c left join payment_resolutions r on r.id = c.resolution_id
                      where c.txid = p.txid and c.customer_id is not null and c.state in ('seen', 'mined')
                        and c.changed_at < p.decided_at - interval '1 hour'
                        and (c.resolved_as is distinct from 'operators' or r.decided_at > p.decided_at))
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
  {
    claim:
      "every payout was proposed by an act on it or on its file, and one person recorded alone only what one person may",
    count: "pool_payouts",
    // The limit of a minute before counts, too: it may have been changed meanwhile.
    wrong: `
      select 'payout ' || p.id as what from pool_payouts p where p.proposal_action_id is not null and who_proposed_payout(p) is null
      union all
      select 'payout ' || p.id from pool_payouts p
       where p.state = 'recorded' and not p.covered and coalesce(p.decision_action_id, p.proposal_action_id) = p.proposal_action_id
         and p.units > greatest(${limitAt("p.decided_at")}, ${limitAt("p.decided_at - interval '1 minute'")})
      union all
      select 'payout ' || alone.id
        from (select p.id, p.units, p.decided_at, a.operator_id,
                     sum(p.units) over (partition by a.operator_id order by p.decided_at
                                        range between interval '24 hours' preceding and current row) as of_a_day
                from pool_payouts p join audit_log a on a.id = p.proposal_action_id
               where p.state = 'recorded' and not p.covered
                 and coalesce(p.decision_action_id, p.proposal_action_id) = p.proposal_action_id) alone
       where alone.units > 0 and ${isMoreThan("recordedAlone", { units: "alone.of_a_day", coin: "'BTC'" })}
         and ${anotherCouldLook("alone.operator_id", "alone.decided_at")}`,
  },
  {
    claim:
      "no pool's coins ever cover more than arrived for it from outside, and no coin at an own address that spends the wallet's counts",
    count: "pool_addresses",
    // A coin that has left the chain since was there when it covered.
    wrong: `
      select 'pool ' || o.id as what from pools o
       where (select coalesce(sum(c.units), 0) from covered_payouts(o.id) c) > (
               select coalesce(sum(p.units), 0) from pool_addresses a join chain_payments p on p.address = a.address
                where a.pool_id = o.id and not p.from_own and (p.state = 'mined' or p.orphaned_at is not null))
      union all
      select 'payment ' || p.id from pool_addresses a join chain_payments p on p.address = a.address
       where p.from_own <> spends_own(p.txid)`,
  },
  {
    claim: "every limit of payouts was set by an act that says it",
    count: "payout_limits",
    wrong: `
      select 'limit ' || t.number as what from payout_limits t
       where not exists (select from audit_log l where l.id = t.action_id and l.act = 'payouts/set-limit'
                            and (l.detail ->> 'btc')::numeric * 100000000 = t.second_person_above_sats)`,
  },
  {
    claim: "no transaction is the payout of two pools",
    count: "pool_payouts",
    wrong: `
      select 'transaction ' || p.txid as what from pool_payouts p where p.txid is not null and p.units > 0 and payout_counts(p)
       group by p.txid having count(distinct p.pool_id) > 1`,
  },
];
