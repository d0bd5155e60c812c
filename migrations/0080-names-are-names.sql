-- Names are in mails to addresses that somebody typed, so they hold nothing but a name: core/person-name.ts says the same of a
-- form, and is stricter with scripts. Here what no name needs is refused by code point, whatever the database's locale.
create function is_a_name(name text) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select length(name) between 1 and 100
    -- Controls; ASCII but letters, space, ' - and dot; signs of Latin-1; format characters, dashes, quotes (one is an apostrophe)
    -- and symbols; full-width forms of ASCII; private use and specials.
    and name !~ ('[\u0001-\u001F!-&(-,/-@[-`{-\u009F\u00A1-\u00A9\u00AB-\u00B4\u00B6-\u00B9\u00BB-\u00BF\u00D7\u00F7]'
      || '|[\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2000-\u200B\u200E-\u2018\u201A-\u206F\u20A0-\u2BFF\u2E00-\u2E7F]'
      || '|[\u3001-\u3004\u3008-\u3020\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFF01-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65\uFFA0\uFFE0-\uFFFF]')
    and name !~ '[\U0001F000-\U0001FAFF\U000E0000-\U0010FFFF]'
    -- Joiners only inside the scripts that need them.
    and name !~ '(^|[^\u0600-\u0DFF])[\u200C\u200D]|[\u200C\u200D]($|[^\u0600-\u0DFF])'
    -- What a mail program would make an address of: a dot, and two letters after it.
    and name !~ '[.][^[:space:].''’-]{2}'
$$;

create function require_names() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_a_name(new.first_name) or not is_a_name(new.last_name) then
    raise exception 'a name has letters, spaces, and . '' - only'
      using errcode = 'check_violation', constraint = 'names_are_names';
  end if;
  return new;
end
$$;

-- Names from before stay as they are, and are shown as text: only a new or changed one is held to it.
create trigger names_are_names before insert on users
  for each row execute function require_names();
create trigger changed_names_are_names before update of first_name, last_name on users
  for each row when (new.first_name is distinct from old.first_name or new.last_name is distinct from old.last_name)
  execute function require_names();
alter table users enable always trigger names_are_names;
alter table users enable always trigger changed_names_are_names;

-- Whether mail to an address reaches who has the account: a customer who has shown it, or staff, whom an owner invited. Until
-- then the name is a stranger's words, and no greeting repeats it.
create function greets_by_name(address text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from users where email = lower(address) and (email_verified or kind = 'operator'))
$$;
-- Whether mail to an address goes to an account whose customer has not shown it yet.
create function waits_to_be_verified(address text) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from users where email = lower(address) and kind = 'customer' and not email_verified)
$$;
