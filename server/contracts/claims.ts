import { legalVersions } from "#core/legal/legal-versions.ts";
import { documentClaim } from "../ledger/verify/document-claim.ts";
import type { Claim } from "../ledger/verify/verify-claims.ts";

/** Versions of the terms with their hashes: texts are code. */
const publishedTerms = legalVersions.terms
  .map(({ version, sha256 }) => `('${version}', '${sha256}')`)
  .join(", ");

/** What the ledger must say of contracts, and what must stand behind a contract itself. */
export const contractClaims: Claim[] = [
  documentClaim({
    claim: "every contract is paid at exactly its price, and paid back only when it is given back",
    count: "contracts",
    kinds: ["contract-purchase"],
    reverses: ["contract-purchase"],
    documents: (among) => `
      select 'contract-purchase:' || c.id as key, 'contract-purchase' as kind, c.customer_id as owner_id,
             array[('available', c.coin, -c.units), ('contract_prepaid', c.coin, c.units)]::ledger_leg[] as legs,
             'contract:' || c.id as source, c.transfer_id, null::uuid as reverses, c.bought_at as occurred_at, null::date as day
        from contracts c where ${among("c.transfer_id", "id")}
      union all
      select 'contract-given-back:' || c.id, 'reversal', c.customer_id,
             array[('available', c.coin, c.units), ('contract_prepaid', c.coin, -c.units)]::ledger_leg[],
             'contract:' || c.id, null, c.transfer_id, c.ended_at, null
        from contracts c where c.end_reason = 'given-back' and ${among("c.transfer_id", "reverses")}`,
  }),
  {
    claim:
      "every contract is what was quoted, while the quote held, of a plan that was published then",
    count: "contracts",
    wrong: `
      select 'contract ' || c.id as what from contracts c
        left join contract_quotes q on q.id = c.quote_id
        left join plan_versions v on v.id = c.plan_version_id
       where (q.order_id, q.customer_id, q.plan_version_id, q.quantity, q.usd_cents, q.coin, q.units)
               is distinct from (c.order_id, c.customer_id, c.plan_version_id, c.quantity, c.usd_cents, c.coin, c.units)
          or (c.ghs, c.term_days, c.usd_cents) is distinct from (v.unit_ghs * c.quantity, v.term_days, v.price_usd_cents * c.quantity)
          or c.bought_at not between q.quoted_at and q.expires_at
          or v.published_at is null or c.bought_at < v.published_at or c.bought_at >= v.retired_at`,
  },
  {
    claim: "every quote asked for as many coins as its dollars were at its price, which is kept",
    count: "contract_quotes",
    wrong: `
      select 'quote ' || q.id as what from contracts c join contract_quotes q on q.id = c.quote_id
        left join market_prices p on p.id = q.price_id and p.pinned and p.asset = q.coin
       where q.units is distinct from
             div(q.usd_cents * power(10::numeric, 6 + case q.coin when 'BTC' then 8 when 'ETH' then 18 else 6 end) + p.usd_e8 - 1, p.usd_e8)`,
  },
  {
    claim:
      "every contract that was given back had not started and was within its time, and no other ended before its term without a reason",
    count: "contracts",
    wrong: `
      select 'contract ' || c.id as what from contracts c left join contract_endings e on e.contract_id = c.id
       where c.end_reason = 'given-back' and (e.contract_id is not null or c.last_day is distinct from c.starts_on - 1
                                              or c.cooling_off_until is null or c.ended_at > c.cooling_off_until)
          or c.end_reason is distinct from 'given-back'
             and (e.reason, e.customer_id, e.ended_at) is distinct from (c.end_reason, case when c.end_reason is not null then c.customer_id end, c.ended_at)
          or c.end_reason = 'served' and c.last_day < c.planned_last_day
          or c.last_day is null and c.end_reason is not null`,
  },
  {
    claim:
      "every contract runs the days that its purchase says, and only a first one can be given back, within its hours",
    count: "contracts",
    wrong: `
      select 'contract ' || c.id as what
        from (select c.*, min(c.bought_at) over (partition by c.customer_id) as first_bought_at from contracts c) c
       where c.planned_last_day <> c.starts_on + c.term_days - 1
          or c.cooling_off_until is not null
             and (c.bought_at <> c.first_bought_at
                  or not exists (select from terms_ever where c.cooling_off_until = c.bought_at + cooling_off))
          or c.starts_on <> case when c.cooling_off_until is null then (c.bought_at at time zone 'UTC')::date + 1
                                 else ((c.cooling_off_until - interval '1 microsecond') at time zone 'UTC')::date + 1 end`,
  },
  {
    claim: "the terms of every contract are those of its version that was in force",
    count: "contracts",
    wrong: `
      select 'contract ' || c.id as what from contracts c
        left join (values ${publishedTerms}) v (version, sha256) on v.version = c.terms_version
       where v.sha256 <> encode(c.terms_sha256, 'hex')
          or v.version is null and exists (select from contracts o where o.terms_version = c.terms_version
                                              and o.terms_sha256 <> c.terms_sha256)`,
  },
  {
    claim: "the days of the fleet say what its machines can do and what is sold of it",
    count: "fleet_days",
    wrong: `
      with sold as (
        select day, sum(sum(ghs)) over (order by day) as ghs
          from (select day, 0::numeric as ghs from fleet_days
                union all select starts_on, sum(ghs) from contracts group by starts_on
                union all select least(coalesce(last_day, planned_last_day), planned_last_day) + 1, -sum(ghs) from contracts group by 1) moves
         group by day)
      select 'day ' || d.day as what from fleet_days d left join sold s on s.day = d.day
       where (d.sold_ghs, d.capacity_ghs) is distinct from (s.ghs, fleet_capacity(d.day)) or d.owed_ghs < 0
      union all
      select 'delivery ' || d.id from machine_deliveries d where not exists (select from machine_delivery_states s where s.delivery_id = d.id)
      union all
      select 'act ' || l.id from audit_log l
       where l.act in ('fleet/add-delivery', 'fleet/record-delivery-state') and not exists (select from machine_delivery_states s where s.action_id = l.id)`,
  },
];
