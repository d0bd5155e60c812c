import { documentClaim } from "../ledger/verify/document-claim.ts";
import type { Claim } from "../ledger/verify/verify-claims.ts";

const house = "'00000000-0000-0000-0000-000000000000'::uuid";
const gift = (sign: "" | "-") => {
  const other = sign === "" ? "-" : "";
  return `array[('available', a.asset, ${sign}a.units), ('operator_equity', a.asset, ${other}a.units)]::ledger_leg[]`;
};
const funding = (sign: "" | "-") => {
  const other = sign === "" ? "-" : "";
  return `array[('custody', a.asset, ${other}a.units), ('operator_equity', a.asset, ${sign}a.units)]::ledger_leg[]`;
};
const outlay = (sign: "" | "-", of: string) => `
  (select array_agg((leg.account, leg.asset, ${sign}leg.units)::ledger_leg order by leg.place)
     from unnest(legs_of_adjustment(${of})) with ordinality leg (account, asset, units, place))`;

/** What the ledger must say of the operator's own money, and who decided about it. */
export const adjustmentClaims: Claim[] = [
  documentClaim({
    claim:
      "every transfer of the operator's own money is an approved adjustment, and every approved one is posted",
    count: "adjustments",
    kinds: ["goodwill", "subsidy", "equity-funding", "equity-drawing", "wallet-transfer"],
    reverses: ["goodwill", "subsidy", "equity-funding", "equity-drawing", "wallet-transfer"],
    documents: (among) => `
      select 'adjustment:' || a.id as key, a.kind, coalesce(a.customer_id, ${house}) as owner_id,
             case coalesce(o.kind, a.kind)
               when 'equity-funding' then case when o.id is null then ${funding("")} else ${funding("-")} end
               when 'goodwill' then case when o.id is null then ${gift("")} else ${gift("-")} end
               when 'subsidy' then case when o.id is null then ${gift("")} else ${gift("-")} end
               else case when o.id is null then ${outlay("", "a")} else ${outlay("-", "o")} end end as legs,
             'adjustment:' || coalesce(o.id, a.id) as source, a.transfer_id, o.transfer_id as reverses, a.decided_at as occurred_at,
             null::date as day
        from adjustments a left join adjustments o on o.id = a.reverses
       where a.state = 'approved' and ${among("a.transfer_id", "id")}`,
  }),
  {
    claim:
      "every adjustment is proposed by one person and decided by another, each by an act on it, and what was given or taken out has evidence",
    count: "adjustments",
    wrong: `
      select 'adjustment ' || a.id as what from adjustments a
       where not exists (select from audit_log l where l.id = a.proposed_by_act and l.operator_id = a.proposed_by
                            and l.act = 'adjustments/propose' and l.subject = 'adjustment:' || a.id
                            and l.customer_id is not distinct from a.customer_id)
          or a.state <> 'open' and not exists (
               select from audit_log l where l.id = a.decided_by_act and l.operator_id = a.decided_by
                  and l.act = 'adjustments/' || case a.state when 'approved' then 'approve' when 'rejected' then 'reject' else 'withdraw' end
                  and l.subject = 'adjustment:' || a.id and l.customer_id is not distinct from a.customer_id)
          or a.state in ('approved', 'rejected') and a.proposed_by = a.decided_by
          or a.kind in ('goodwill', 'subsidy', 'equity-drawing') and not exists (
               select from adjustment_evidence e where e.id = a.evidence_id and e.operator_id = a.proposed_by)`,
  },
  {
    claim:
      "every adjustment that takes one back takes back a whole approved one, and no payment of the operator's counts twice or is one of a batch that did not fail",
    count: "adjustments",
    wrong: `
      select 'adjustment ' || r.id as what from adjustments r left join adjustments o on o.id = r.reverses
       where r.kind = 'reversal' and (o.state is distinct from 'approved' or o.kind = 'reversal'
             or (o.customer_id, o.asset, o.units) is distinct from (r.customer_id, r.asset, r.units))
      union all
      select 'transaction ' || a.txid from adjustments a join adjustments b on b.txid = a.txid and b.id > a.id
       where a.state = 'approved' and b.state = 'approved'
         and not exists (select from adjustments r where r.reverses in (a.id, b.id) and r.state = 'approved')
      union all
      select 'adjustment ' || a.id from adjustments a
       where a.state = 'approved' and a.kind in ('equity-drawing', 'wallet-transfer')
         and (exists (select from withdrawal_batch_versions v join withdrawal_batches b on b.id = v.batch_id
                       where v.txid = a.txid and b.state <> 'failed')
              or exists (select from withdrawal_transactions t where t.txid = a.txid))
         and not exists (select from adjustments r where r.reverses = a.id and r.state = 'approved')`,
  },
  {
    claim: "every adjustment was proposed and decided when its acts say",
    count: "adjustments",
    wrong: `
      select 'adjustment ' || a.id as what from adjustments a
        left join audit_log p on p.id = a.proposed_by_act left join audit_log d on d.id = a.decided_by_act
       where p.occurred_at <> a.proposed_at or d.occurred_at <> a.decided_at or a.decided_at < a.proposed_at`,
  },
];
