-- What the machines can do on a day: of each delivery the last word for that day, and never more than its maker says.
create or replace function fleet_capacity(p_day date) returns numeric language sql stable as $$
  select coalesce(sum(state.machines * least(state.measured_ghs, delivery.nameplate_ghs)), 0)
    from machine_deliveries delivery cross join lateral (
     select machines, measured_ghs from machine_delivery_states where delivery_id = delivery.id and effective_from <= p_day
      order by effective_from desc, number desc limit 1) state
$$;

-- Under the fleet's lock: a change of machines at the same time would not see a day that is only being opened.
create or replace function open_fleet_days(p_from date, p_until date) returns void language sql security definer as $$
  select lock_fleet();
  insert into fleet_days (day, capacity_ghs)
  select day::date, fleet_capacity(day::date) from generate_series(p_from, p_until, interval '1 day') day
   where not exists (select from fleet_days d where d.day = day.day::date)
  on conflict do nothing;
$$;

-- What machines are said to do moves the capacity of every day from then on. Taking away what is sold is refused: an
-- outage is recorded as an outage, and contracts run on for it.
create or replace function move_fleet_capacity() returns trigger language plpgsql security definer as $$
begin
  perform lock_fleet();
  update fleet_days set capacity_ghs = fleet_capacity(day) where day >= new.effective_from;
  return null;
end $$;
create or replace trigger deliveries_move_the_capacity after insert on machine_delivery_states
  for each row execute function move_fleet_capacity();

-- How much hashrate is for sale at most, and how much of that is kept back. Seven of the last ten days have to be posted. Until seven
-- ever were, what was entered counts for two weeks after the first machines: by PostgreSQL's clock, so that nobody makes it go back. In a
-- demo, whose pool is paid by nobody, it counts again.
create or replace function sales_bounds() returns table (seen_ghs numeric, reserve_ppm integer) language sql stable as $$
  select case when count(*) >= 7 then coalesce((array_agg(e.sellable_ghs order by e.day desc))[1], 0)
              when (select demo from installation)
                or not exists (select from capacity_evidence where sellable_ghs is not null)
                   and not exists (select from machine_deliveries where recorded_at < clock_timestamp() - interval '14 days') then 'Infinity'
              else 0 end,
         coalesce((select r.reserve_ppm from fleet_reserves r order by r.number desc limit 1), 0)
    from (select (clock_timestamp() at time zone 'UTC')::date) today (day)
    join capacity_evidence e on e.day between today.day - 10 and today.day - 1
$$;
-- What is for sale, in all, of what the machines can do.
create or replace function sellable_ghs(p_capacity numeric, p_seen numeric, p_reserve_ppm integer) returns numeric language sql immutable as $$
  select least(p_capacity, p_seen) - trunc(least(p_capacity, p_seen) * p_reserve_ppm / 1000000)
$$;
call check_rows('machine_deliveries', 'before insert', 'machines_are_recorded_now',
  $$new.recorded_at between clock_timestamp() - interval '1 minute' and clock_timestamp()$$);

-- An outage is noted once, ended once, taken back once, and corrected by another. These wait for each other: only an outage in
-- force can be changed.
call change_only('outages', 'outages_end_once', once => 'ended_at end_action_id withdrawn_at withdrawal_reason withdrawal_action_id');
call check_rows('outages', 'before update', 'outages_stand_while_they_change',
  'only_standing_outages_change', 'old.withdrawn_at is null and not exists (select from outages c where c.corrects = old.id)',
  'outages_are_withdrawn_by_staff_acts',
  $$new.withdrawn_at is null or staff_did(new.withdrawal_action_id, 'fleet/withdraw-outage', 'outage:' || new.id)$$);
call check_rows('outages', 'before insert when (new.corrects is not null)', 'outages_are_corrected_by_staff_acts',
  'only_standing_outages_change', '(select withdrawn_at is null from outages where id = new.corrects for update)',
  'outages_are_corrected_by_staff_acts', $$staff_did(new.action_id, 'fleet/correct-outage', 'outage:' || new.corrects)$$);

call change_only('sites', 'sites_keep_all_but_their_name', 'name place changed_action_id');
call check_rows('sites', 'before update', 'sites_are_renamed_by_staff_acts', $$new.changed_action_id is distinct from old.changed_action_id
  and staff_did(new.changed_action_id, 'fleet/rename-site', 'site:' || new.id)$$);
call keep_rows('{sites,outages}');
call write_once('{machine_deliveries,machine_delivery_states,site_energy_prices,fleet_reserves}');
call name_act('sites', 'action_id', 'fleet/add-site', 'site:', 'id');
call name_act('site_energy_prices', 'action_id', 'fleet/set-energy-price', 'site:', 'site_id');
call name_act('machine_deliveries', 'action_id', 'fleet/add-delivery', 'delivery:', 'id');
call name_act('machine_delivery_states', 'action_id', 'fleet/add-delivery fleet/record-delivery-state', 'delivery:', 'delivery_id');
-- A correction may say the end as well, by its own act.
create or replace trigger zz_end_action_id_is_what_it_names before insert or update on outages
  for each row when (new.corrects is null or new.end_action_id is distinct from new.action_id)
  execute function guard_named_act('end_action_id', 'fleet/end-outage', 'outage:', 'id');
create or replace trigger zz_action_id_is_what_it_names before insert on outages
  for each row when (new.corrects is null) execute function guard_named_act('action_id', 'fleet/record-outage', 'outage:', 'id');
call name_act('fleet_reserves', 'action_id', 'fleet/set-reserve', 'fleet', '');
