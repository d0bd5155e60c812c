/** What must stand behind a change of the staff: a `Claim` of the ledger, which this room does not know. */
export const staffClaims = [
  {
    claim:
      "every change of the staff was proposed by an act, and decided by another person than proposed it and than it concerns",
    count: "staff_changes",
    wrong: `
      select 'proposal ' || s.id as what from staff_changes s
        left join audit_log p on p.id = s.proposed_by_act and p.operator_id = s.proposed_by
        left join audit_log d on d.id = s.decided_by_act and d.operator_id = s.decided_by
       where p.id is null or p.occurred_at <> s.proposed_at
          or s.state in ('confirmed', 'declined')
             and (d.id is null or s.decided_by = s.proposed_by or s.decided_by = s.operator_id or s.decided_at >= s.expires_at
                  or d.occurred_at <> s.decided_at)
          or s.state = 'withdrawn' and (d.id is null or s.decided_by <> s.proposed_by)`,
  },
];
