-- A batch may lie for days between being formed and being sent: signed elsewhere, brought back, ordered by somebody else. An
-- account that is frozen, or whose way in is changed, in that time was paid all the same after a change, and in a race with
-- the order after a freeze. What has left already is out of reach: a higher fee for it is held back by a freeze alone.
create function refuse_to_pay_who_must_wait() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  paid withdrawals;
begin
  for paid in select * from withdrawals where id = any (new.pays) order by customer_id loop
    -- Waits for a change of the account that is under way.
    perform from users where id = paid.customer_id for share;
    if is_frozen(paid.customer_id) then
      raise exception 'an account that the batch pays is frozen'
        using errcode = 'check_violation', constraint = 'batches_pay_no_frozen_account';
    end if;
    if paid.state = 'batched' and money_held_until(paid.customer_id, new.ordered_at) is not null then
      raise exception 'a way into an account that the batch pays was changed within a day'
        using errcode = 'check_violation', constraint = 'batches_wait_for_a_day_after_a_change';
    end if;
  end loop;
  return new;
end
$$;
create trigger batches_pay_nobody_who_must_wait before update of ordered_at on withdrawal_batch_versions
  for each row when (new.ordered_at is not null and old.ordered_at is null) execute function refuse_to_pay_who_must_wait();
alter table withdrawal_batch_versions enable always trigger batches_pay_nobody_who_must_wait;
revoke execute on function refuse_to_pay_who_must_wait from public;
