import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "#tests/setup/test-database.ts";
import { openDatabase } from "../database.ts";
import { enqueue } from "../jobs/jobs.ts";
import { openLog } from "../log/log.ts";
import { migrate } from "./migrate.ts";

/** What an owner's login runs, it runs with the owner's rights: nothing of that may be the application's to change. */

const { db, owner, ownerUrl, applicationUrl } = await testDatabase();
const ownersDb = openDatabase(ownerUrl, openLog("silent"), { connections: 1, as: "owner" });
afterAll(() => ownersDb.$client.end());

test.each([
  [
    "the function by which the server's commands add a job",
    "create or replace function graphile_worker.add_job(identifier text) returns void language sql as ''",
  ],
  ["a function that exists", "alter function graphile_worker.add_jobs rename to was"],
  ["the list of the queue's migrations", "alter table graphile_worker.migrations rename to was"],
  ["what that list says", "insert into graphile_worker.migrations (id) values (999)"],
  ["a view in the queue's schema", "create view graphile_worker.mine as select 1"],
  [
    "a trigger on a queue's table",
    "create trigger mine before insert on graphile_worker._private_jobs for each row execute function suppress_redundant_updates_trigger()",
  ],
  ["a schema of the owner's name", "create schema assay"],
  ["a table in the way of the migrations", "create table public.mine ()"],
])("refuses the application %s", async (_, statement) => {
  await expect(db.$client.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("never lets the application create a schema, also while others migrate", async () => {
  const attempts = { refused: 0 };
  let migrating = true;
  const attack = async () => {
    while (migrating) {
      await expect(db.$client.query("create schema assay")).rejects.toMatchObject({
        code: "42501",
      });
      attempts.refused += 1;
    }
  };
  const attacks = [attack(), attack(), attack()];
  for (let nth = 0; nth < 3; nth += 1) await migrate(ownerUrl);
  migrating = false;
  await Promise.all(attacks);
  expect(attempts.refused).toBeGreaterThan(10);
});

test("leaves no object of the database to the application, nor to everybody, to own, to replace or to put in the way", async () => {
  const { rows } = await owner.query(`
    with roles as (select oid, rolname as role from pg_roles where rolname in ('assay_app', 'assay_login'))
    select 'owns ' || o.type || ' ' || o.identity as fault
      from pg_shdepend d join roles r on r.oid = d.refobjid, pg_identify_object(d.classid, d.objid, d.objsubid) o
     where d.deptype = 'o' and d.dbid in (0, (select oid from pg_database where datname = current_database()))
    union all
    select role || ' creates in ' || datname from pg_database d, roles where has_database_privilege(role, d.oid, 'create')
    union all
    select role || ' creates in ' || nspname from pg_namespace n, roles
     where nspname !~ '^pg_(temp|toast)' and has_schema_privilege(role, n.oid, 'create')
    union all
    select role || ' hangs code on ' || c.oid::regclass from pg_class c, roles
     where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace::regnamespace::text !~ '^pg_'
       and has_table_privilege(role, c.oid, 'trigger, references, maintain')
    union all
    select role || ' becomes ' || of.rolname from roles, pg_roles of
     where of.rolname not in (role, 'assay_app') and pg_has_role(role, of.oid, 'member')
    union all
    select rolname || ' may more than log in' from pg_roles
     where rolname in (select role from roles) and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)`);
  expect(rows).toEqual([]);
});

test("looks for names in PostgreSQL's schema and ours alone, on the owner's connections", async () => {
  // What an earlier version let the application make, and the owner's default path would find first.
  await owner.query(
    "create schema assay; create view assay.schema_functions as select 1/0 as sha256",
  );
  try {
    expect(await migrate(ownerUrl)).toEqual([]);
    const { rows } = await ownersDb.$client.query("select sha256 from schema_functions limit 1");
    expect(rows).toHaveLength(1);
  } finally {
    await owner.query("drop schema assay cascade");
  }
});

test("lets no function that acts with the owner's rights look among temporary objects first", async () => {
  const { rows } = await owner.query(`
    select oid::regprocedure::text as function from pg_proc
     where pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and prosecdef
       and not 'search_path=pg_catalog, public, pg_temp' = any (coalesce(proconfig, '{}'))`);
  expect(rows).toEqual([]);
});

test("makes a queue again that belonged to the application, and takes its right to create", async () => {
  const { rows } = await owner.query("select quote_ident(current_database()) as database");
  await owner.query(`
    alter schema graphile_worker owner to assay_app;
    alter function graphile_worker.add_jobs owner to assay_app;
    grant create on database ${rows[0].database} to assay_app;
    grant create on schema public to public`);
  await db.$client.query("alter table graphile_worker._private_jobs rename to was").catch(() => {});
  await db.$client.query(
    "create or replace function graphile_worker.mine() returns void language sql as ''",
  );
  await migrate(ownerUrl);
  const { rows: left } = await owner.query("select to_regproc('graphile_worker.mine') as mine");
  expect(left).toEqual([{ mine: null }]);
  await expect(db.$client.query("create schema assay")).rejects.toMatchObject({ code: "42501" });
  await expect(db.$client.query("create table public.mine ()")).rejects.toMatchObject({
    code: "42501",
  });
  for (const each of [db, ownersDb]) await enqueue(each, "test/works", {}, { queue: "test" });
  const { rowCount } = await db.$client.query("select from graphile_worker._private_jobs");
  expect(rowCount).toBe(2);
});

test("starts on no database where the application owns anything else", async () => {
  await owner.query("create schema theirs authorization assay_app");
  await expect(migrate(ownerUrl)).rejects.toThrow(
    "The schema theirs belongs to assay_app, which may own nothing: drop it, or give it to another owner.",
  );
  await owner.query("drop schema theirs");
});

test("lets the application's login become the application and nobody else", async () => {
  const client = new pg.Client({ connectionString: applicationUrl });
  await client.connect();
  try {
    await expect(client.query("set role assay")).rejects.toMatchObject({ code: "42501" });
    await expect(client.query("alter role assay_login superuser")).rejects.toMatchObject({
      code: "42501",
    });
  } finally {
    await client.end();
  }
});
