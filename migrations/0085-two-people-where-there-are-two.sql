-- Where the documents say that two people decide, two people decide as soon as there are two. Why: docs/decisions/0065.

-- Whether anybody but this person may decide what others prepared (approvers and owners) and has set a password. An invitation that
-- is never accepted blocks nothing, as with owners_who_can_act().
create function another_person_decides(p_person uuid) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from operators o join credentials c on c.user_id = o.id
     where o.id <> p_person and o.state = 'active' and o.role in ('approver', 'owner') and c.password is not null)
$$;

-- Who stands for a payout as the first person: by an act on this payout or on the file that it comes from, and by no other.
create function who_proposed_payout(p pool_payouts) returns uuid
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select a.operator_id from audit_log a
   where a.id = p.proposal_action_id
     and (a.act in ('payouts/enter', 'payouts/correct', 'payouts/vouch') and a.subject = 'payout:' || p.id
          or a.act = 'payouts/import' and a.subject = 'statement:' || p.statement_id)
$$;

-- What one person may still record alone where another one could look: 0.01 BTC within 24 hours, over all pools. The hours are
-- those of PostgreSQL's clock: times that are given could be spread as one likes. Null: no other person decides, and only the limit
-- applies.
create function payout_left_for_one(p_person uuid) returns numeric
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select greatest(0, 1000000 - coalesce(sum(p.units), 0))
    from pool_payouts p join audit_log a on a.id = p.proposal_action_id
   where p.state = 'recorded' and coalesce(p.decision_action_id, p.proposal_action_id) = p.proposal_action_id
     and a.operator_id = p_person
     and p.recorded_at > clock_timestamp() - interval '24 hours'
  having another_person_decides(p_person)
$$;
create index pool_payouts_by_recording on pool_payouts (recorded_at) where state = 'recorded';

revoke execute on function another_person_decides, who_proposed_payout, payout_left_for_one from public;
grant execute on function another_person_decides, who_proposed_payout, payout_left_for_one to assay_app;
