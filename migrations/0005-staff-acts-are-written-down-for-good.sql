-- One row for every staff act, written in the act's own transaction. Rows can be added, nothing else:
-- not by the application, which lacks the right, and not by the owner of the table, whom a trigger stops.
create table audit_log (
  id uuid primary key,
  position bigint not null generated always as identity constraint one_act_per_position unique,
  act text not null constraint acts_are_written_room_and_verb check (act ~ '^[a-z]+(-[a-z]+)*/[a-z]+(-[a-z]+)*$'),
  -- Null: a command on the server itself, which only who holds the machine can run.
  operator_id uuid references operators,
  customer_id uuid references customers,
  subject text not null constraint subjects_are_named check (length(subject) between 1 and 200),
  detail jsonb not null default '{}'
    constraint details_are_objects check (jsonb_typeof(detail) = 'object'),
  request_id text,
  occurred_at timestamptz not null
);
create index audit_log_of_a_customer on audit_log (customer_id, position desc);
create index audit_log_of_an_operator on audit_log (operator_id, position desc);

create function refuse_to_change_the_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log only grows' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_only_grows before update or delete or truncate on audit_log
  for each statement execute function refuse_to_change_the_audit_log();
-- Also while a replica applies changes, or a session pretends to be one.
alter table audit_log enable always trigger audit_log_only_grows;

grant select, insert on audit_log to assay_app;

-- What staff changed names the act that changed it.
alter table operators
  add column created_by_act uuid not null references audit_log,
  add column changed_by_act uuid references audit_log,
  add constraint operators_are_suspended_by_an_act check (state = 'active' or changed_by_act is not null);
alter table mails add column resent_by_act uuid references audit_log;
alter table customers
  add column dashboard_message_act uuid references audit_log,
  add constraint dashboard_messages_are_written_by_an_act
    check (dashboard_message = '' or dashboard_message_act is not null);
grant update (changed_by_act) on operators to assay_app;
grant update (resent_by_act) on mails to assay_app;
grant update (dashboard_message_act) on customers to assay_app;
