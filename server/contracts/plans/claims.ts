import type { Claim } from "#server/ledger/verify/verify-claims.ts";

/** Where an act says a term, it is the version's. */
const differs = (name: string, column: string) =>
  `l.detail ? '${name}' and l.detail ->> '${name}' is distinct from v.${column}::text`;

/** What must stand behind a plan that was offered. */
export const planClaims: Claim[] = [
  {
    claim:
      "every plan was published by an act on it that says its terms, by another person than wrote it where another could",
    count: "plan_versions",
    // Of others who could publish, only those count whose role never changed and who had acted before.
    wrong: `
      select 'plan version ' || v.id as what from plan_versions v
        left join audit_log l on l.id = v.published_action_id and l.act = 'plans/publish' and l.subject = 'plan-version:' || v.id
       where v.state <> 'draft'
         and (l.id is null or l.occurred_at <> v.published_at
              or ${differs("unitGhs", "unit_ghs")} or ${differs("termDays", "term_days")}
              or ${differs("mostUnits", "most_units")} or ${differs("offeredGhs", "offered_ghs")}
              or ${differs("priceUsdCents", "price_usd_cents")}
              or ${differs("maintenanceUsdMicros", "maintenance_usd_micros")}
              or ${differs("termination", "termination")} or ${differs("name", "name")})
      union all
      select 'plan version ' || v.id from plan_versions v join audit_log l on l.id = v.published_action_id
       cross join lateral (
         select w.operator_id from audit_log w
          where w.act = 'plans/draft' and w.subject = 'plan-version:' || v.id and w.position < l.position
          order by w.position desc limit 1) writer
       where writer.operator_id = l.operator_id
         and exists (select from operators o where o.id <> l.operator_id and o.role in ('approver', 'owner') and o.state = 'active'
                        and o.changed_by_act is null
                        and exists (select from audit_log a where a.operator_id = o.id and a.occurred_at < l.occurred_at))
      union all
      select 'plan version ' || v.id from plan_versions v
        left join audit_log l on l.id = v.retired_action_id
        left join plan_versions next on l.subject = 'plan-version:' || next.id and next.plan_id = v.plan_id
       where v.state = 'retired'
         and (l.act = 'plans/retire' and next.id = v.id or l.act = 'plans/publish' and next.id <> v.id) is not true`,
  },
];
