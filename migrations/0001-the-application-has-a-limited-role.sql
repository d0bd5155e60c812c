-- The application works as assay_app: it owns nothing and has only the rights that each table grants it.
-- Roles belong to the whole cluster, so the role may exist already.
do $$
begin
  create role assay_app nologin;
exception
  when duplicate_object or unique_violation then null;
end
$$;

grant assay_app to current_user;
grant usage on schema public to assay_app;
revoke create on schema public from public;

-- Readable by the health check: are the migrations done?
grant select on schema_migrations to assay_app;
