-- The application works as assay_app: it owns nothing and has only the rights that each table grants it.
-- Roles belong to the whole cluster, so the role may exist already.
do $$
begin
  create role assay_app nologin;
exception
  when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
  if not pg_has_role(current_user, 'assay_app', 'set') then grant assay_app to current_user; end if;
end
$$;
grant usage on schema public to assay_app;
revoke create on schema public from public;

-- Readable by the health check: are the migrations done?
grant select on schema_migrations to assay_app;

-- PostgreSQL 17 has no uuidv7() of its own: RFC 9562, version 7, with the microseconds of the clock in rand_a (method 3).
do $$
begin
  if current_setting('server_version_num')::int >= 180000 then return; end if;
  create function public.uuidv7() returns uuid language sql volatile parallel safe as $uuid$
    select (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
      || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
    from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as clock
  $uuid$;
end
$$;
