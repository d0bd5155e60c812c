import { setTimeout as wait } from "node:timers/promises";
import { runMigrations as runJobQueueMigrations } from "graphile-worker";
import pg from "pg";
import { applicationRole, pinnedSearchPath } from "../database.ts";
import { readSchema, type Schema, type SchemaText, sha256Of } from "./schema-text.ts";

/** Any two processes agree on this number: only one of them migrates at a time. */
const migrationLock = 8_405_912_001;

interface Wanted {
  schema: Schema;
  isReapplied: boolean;
}

interface Patience {
  /** Told each time when a table is in use and nothing was applied: it is tried again. */
  onWait: (tried: number) => void;
  /** How often it is tried. */
  tries: number;
}

/** The database is not what this version can start with, or its schema cannot be applied. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

/**
 * Brings the database to the schema of this version: `database/`, by room, in the order of the floors.
 * Needs a login that may create roles, schemas and tables. Safe to run from many processes at once.
 *
 * @param options.isReapplied whether functions are applied again that were there before others: whoever develops goes back and forth
 * @returns what this call applied: "tables", the names of migrations, "functions"
 * @throws MigrationError
 */
export async function migrate(
  ownerUrl: string,
  {
    schema = readSchema(),
    isReapplied = false,
    onWait = () => {},
    tries = mostTries,
  }: Partial<Wanted & Patience> = {},
): Promise<string[]> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: impatient,
    application_name: "assay migrate",
  });
  await client.connect();
  try {
    refuseServerVersion(await readServerVersion(client));
    return await keepTrying({ onWait, tries }, () =>
      alone(client, async () => {
        const isNew = await isWithoutSchema(client);
        await requireRole(client);
        await takeFromApplication(client);
        const applied = await bringUpToDate(client, { schema, isReapplied, isNew });
        await requireGrants(client);
        await migrateJobQueue(client, ownerUrl);
        return applied;
      }),
    );
  } finally {
    await client.end();
  }
}

/**
 * The majors of PostgreSQL that the suite is run against (docs/decisions/0067).
 * An older one lacks what the schema uses; a newer one may keep to other rules.
 */
const supportedMajors = { oldest: 17, newest: 18 };

/** @throws MigrationError with the version and what to use instead. `version` as in `server_version_num`: 180004. */
export function refuseServerVersion(version: number): void {
  const major = Math.floor(version / 10_000);
  const { oldest, newest } = supportedMajors;
  if (major >= oldest && major <= newest) return;
  const fault = major < oldest ? "too old" : "newer than this version of the product knows";
  throw new MigrationError(`PostgreSQL ${major} is ${fault}: use ${oldest} or ${newest}.`);
}

async function readServerVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
  return Number(rows[0]?.server_version_num);
}

/** The owner makes the application's role or may work as it already. Roles belong to the whole server, databases do not. */
export async function requireRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; exists: boolean; may: boolean }>(
    `select quote_ident(current_user) as login, role.oid is not null as exists,
       case when role.oid is null then mine.rolcreaterole or mine.rolsuper
         else pg_has_role(current_user, role.oid, 'set')
           or pg_has_role(current_user, role.oid, 'member with admin option') end as may
     from pg_roles as mine left join pg_roles as role on role.rolname = $1 where mine.rolname = current_user`,
    [applicationRole],
  );
  const [found] = rows;
  if (!found || found.may) return;
  throw new MigrationError(
    found.exists
      ? `The role ${applicationRole} exists and is not for ${found.login} to give. As a superuser, run: grant ${applicationRole} to ${found.login} with admin option;`
      : `${found.login} may not create the role ${applicationRole}. As a superuser, run: alter role ${found.login} createrole;`,
  );
}

/** Who waits for a lock lets nobody pass who comes later: better none for a moment than all for as long as a report takes. */
const impatient = `${pinnedSearchPath} -c lock_timeout=400ms`;
const lockWithinMs = 800;
const mostTries = 40;
const longestWaitMs = 10_000;
/** A lock that was not given in time, and two that waited for each other: of both nothing is left. */
const locked = ["55P03", "40P01"];

/** @throws MigrationError when a table is in use at each try */
async function keepTrying<T>({ onWait, tries }: Patience, work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      const { code, cause } = error as { code?: string; cause?: { code?: string } };
      if (!locked.includes(code ?? cause?.code ?? "")) throw error;
      if (tried >= tries) {
        throw new MigrationError(
          `${(error as Error).message}. Nothing was applied: a table is in use all the time. Look for long statements in pg_stat_activity, and start again.`,
        );
      }
      onWait(tried);
      await wait(Math.min(tried * 1_000, longestWaitMs));
    }
  }
}

/** Lets nobody else migrate meanwhile; between two tries others may. */
async function alone<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query("select pg_advisory_lock($1)", [migrationLock]);
  try {
    return await work();
  } finally {
    await client.query("select pg_advisory_unlock($1)", [migrationLock]);
  }
}

/**
 * A database without tables gets the text of this version, whole. One that has them gets the migrations that it lacks, and the
 * functions when their text is another. All of it is one transaction: it is there whole, or nothing has changed.
 */
async function bringUpToDate(client: pg.Client, wanted: Wanted & { isNew: boolean }) {
  await client.query("begin");
  try {
    const applied = await (wanted.isNew ? createAll : applyMissing)(client, wanted);
    await client.query("commit");
    return applied;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

async function createAll(client: pg.Client, { schema }: Wanted): Promise<string[]> {
  await client.query(list);
  await applyText(client, schema.tables);
  for (const migration of schema.migrations) await record(client, migration);
  await applyFunctions(client, schema.functions);
  return ["tables", "functions"];
}

async function applyMissing(client: pg.Client, wanted: Wanted): Promise<string[]> {
  const { functions, migrations } = wanted.schema;
  const { missing, isOlder } = await compareMigrations(client, migrations);
  // Of an older version they are of tables that are not these any more.
  const areApplied =
    (!isOlder || wanted.isReapplied) &&
    (missing.length > 0 || (await isOtherText(client, functions, wanted.isReapplied)));
  if (missing.length === 0 && !areApplied) return [];
  await lockTables(client, missing[0]?.name ?? "functions");
  for (const migration of missing) {
    await applyText(client, [migration]);
    await record(client, migration);
  }
  const names = missing.map(({ name }) => name);
  if (!areApplied) return names;
  await applyFunctions(client, functions);
  return [...names, "functions"];
}

async function applyFunctions(client: pg.Client, functions: SchemaText[]): Promise<void> {
  await applyText(client, functions);
  await client.query(
    "insert into public.schema_functions (sha256) values ($1) on conflict (sha256) do update set applied_at = now()",
    [sha256Of(functions)],
  );
}

/**
 * Locks every table, or none. What follows waits for nobody: of two that wait for each other PostgreSQL ends the one that has waited
 * for a second (`deadlock_timeout`), and that could be a customer's form.
 *
 * @param what is applied next, for the words where they cannot be had
 */
async function lockTables(client: pg.Client, what: string): Promise<void> {
  const { rows } = await client.query<{ table: string; isVacuumed: boolean }>(
    `select oid::regclass::text as table, exists (
        select from pg_locks l where l.relation = c.oid and l.mode = 'ShareUpdateExclusiveLock' and l.granted) as "isVacuumed"
       from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_has_role(relowner, 'usage')
      order by oid`,
  );
  const all = rows.map(({ table }) => table).join(", ");
  try {
    // A vacuum that runs by itself makes way for who has waited for a second. Here nothing is held yet, and nobody is kept waiting.
    await client.query("savepoint vacuumed; set local lock_timeout = '1500ms'");
    for (const { table, isVacuumed } of rows) {
      if (isVacuumed) await client.query(`lock table ${table} in share update exclusive mode`);
    }
    await client.query("rollback to savepoint vacuumed");
    await client.query(`set local statement_timeout = ${lockWithinMs}`);
    await client.query(`lock table ${all} in access exclusive mode`);
    await client.query("set local statement_timeout to default");
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const cause = { code: code === "57014" ? "55P03" : code };
    throw new MigrationError(`${what} failed: ${message}`, { cause });
  }
}

const list = `
  create table public.schema_migrations (
    name text primary key, sha256 text not null, breaks_older boolean not null, applied_at timestamptz not null default now());
  create table public.schema_functions (
    sha256 text primary key, applied_at timestamptz not null default clock_timestamp())`;

/** @throws MigrationError where the schema is of a version that no migration leads on from: nothing is changed then */
async function isWithoutSchema(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ migrations: string | null; functions: string | null }>(
    "select to_regclass('public.schema_migrations') as migrations, to_regclass('public.schema_functions') as functions",
  );
  const { migrations = null, functions = null } = rows[0] ?? {};
  if (migrations !== null && functions === null) {
    throw new MigrationError(
      "The database was made by a version before the first release, and cannot be brought up to date: begin with an empty one.",
    );
  }
  return functions === null;
}

async function applyText(client: pg.Client, texts: SchemaText[]): Promise<void> {
  // A function may call one that stands further down.
  await client.query("set local check_function_bodies = off");
  for (const { name, sql } of texts) {
    await client.query(sql).catch((cause: Error) => {
      throw new MigrationError(`${name} failed: ${cause.message}`, { cause });
    });
  }
}

async function record(client: pg.Client, { name, sql }: SchemaText): Promise<void> {
  await client.query(
    "insert into public.schema_migrations (name, sha256, breaks_older) values ($1, $2, $3)",
    [name, sha256Of([{ name, sql }]), breaksOlder({ name, sql })],
  );
}

/**
 * Whether a version that does not know a migration must not work beside it: its first line says so.
 *
 * @throws MigrationError where it does not say
 */
function breaksOlder({ name, sql }: SchemaText): boolean {
  const [, said] = /^-- breaks: (nothing|older versions)\n/.exec(sql) ?? [];
  if (said) return said !== "nothing";
  throw new MigrationError(
    `${name} does not say in its first line whether it breaks: "-- breaks: nothing", or "-- breaks: older versions".`,
  );
}

/**
 * What a database lacks, and whether it has migrations that this version does not know.
 *
 * @throws MigrationError where it has been where this version cannot follow, or by another way
 */
async function compareMigrations(
  client: pg.Client,
  migrations: SchemaText[],
): Promise<{ missing: SchemaText[]; isOlder: boolean }> {
  const { rows } = await client.query<{ name: string; sha256: string; breaks: boolean }>(
    "select name, sha256, breaks_older as breaks from public.schema_migrations order by name",
  );
  const known = new Map(migrations.map((each) => [each.name, sha256Of([each])]));
  for (const { name, sha256, breaks } of rows) {
    if (!known.has(name) && !breaks) continue;
    if (!known.has(name)) {
      throw new MigrationError(
        `The database is newer than this version, which migration ${name} breaks: use the newer version.`,
      );
    }
    if (known.get(name) !== sha256) {
      throw new MigrationError(`Migration ${name} was changed after it had been applied.`);
    }
  }
  const done = new Set(rows.map(({ name }) => name));
  return {
    missing: migrations.filter(({ name }) => !done.has(name)),
    isOlder: rows.some(({ name }) => !known.has(name)),
  };
}

/**
 * Whether the functions of this version are others than those of the database. Those that were applied before the ones that are
 * there belong to an older version, which starts beside a newer one: it leaves them alone.
 */
async function isOtherText(
  client: pg.Client,
  functions: SchemaText[],
  isReapplied: boolean,
): Promise<boolean> {
  const { rows } = await client.query<{ sha256: string }>(
    "select sha256 from public.schema_functions order by applied_at desc",
  );
  const sha256 = sha256Of(functions);
  if (rows[0]?.sha256 === sha256) return false;
  return isReapplied || !rows.some((each) => each.sha256 === sha256);
}

/** A restore may leave out all grants at once: one that every version makes stands for all. */
async function requireGrants(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ granted: boolean }>(
    "select has_table_privilege($1, 'public.schema_migrations', 'select') as granted",
    [applicationRole],
  );
  if (rows[0]?.granted) return;
  throw new MigrationError(
    `${applicationRole} has no rights in this database: restore it with its grants (without --no-privileges).`,
  );
}

/**
 * Leaves nothing that the application's role could put in the owner's way: what an owner runs is the owner's. A job queue that
 * belongs to that role, after a restore with other owners, is made again, without the jobs that waited.
 */
async function takeFromApplication(client: pg.Client): Promise<void> {
  const { rows: roles } = await client.query("select from pg_catalog.pg_roles where rolname = $1", [
    applicationRole,
  ]);
  if (roles.length === 0) return;
  for (const statement of await readCreateRights(client)) {
    // Who may not revoke is told below.
    await client.query(statement).catch(() => {});
  }
  const [left] = await readCreateRights(client);
  if (left) {
    throw new MigrationError(
      `${applicationRole} may create objects in this database. As a superuser, run: ${left};`,
    );
  }
  const [queue] = await ownedByApplication(client, true);
  if (queue) await client.query("drop schema graphile_worker cascade");
  const [other] = await ownedByApplication(client, false);
  if (!other) return;
  throw new MigrationError(
    `The ${other.type} ${other.identity} belongs to ${applicationRole}, which may own nothing: drop it, or give it to another owner.`,
  );
}

/** The statements that take from the application's role what it may create: none, in a database that is as it should be. */
async function readCreateRights(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('revoke create on %s from public, %I', place, $1::text) as statement from (
       select format('database %I', datname) as place from pg_catalog.pg_database
        where datname = current_database() and has_database_privilege($1, oid, 'create')
       union all
       select format('schema %I', nspname) from pg_catalog.pg_namespace
        where nspname = 'public' and has_schema_privilege($1, oid, 'create')) as places`,
    [applicationRole],
  );
  return rows.map(({ statement }) => statement);
}

/** What belongs to the application's role in this database, temporary tables of its sessions aside. */
async function ownedByApplication(client: pg.Client, inJobQueue: boolean) {
  const { rows } = await client.query<{ type: string; identity: string }>(
    `select object.type, object.identity
       from pg_catalog.pg_shdepend d, pg_catalog.pg_identify_object(d.classid, d.objid, d.objsubid) object
      where d.dbid = (select oid from pg_catalog.pg_database where datname = current_database())
        and d.refclassid = 'pg_catalog.pg_authid'::regclass and d.refobjid = $1::regrole and d.deptype = 'o'
        and coalesce(object.schema, '') !~ '^pg_temp'
        and (coalesce(object.schema, object.name) = 'graphile_worker') is not distinct from $2
      order by object.type = 'schema' desc, object.identity limit 1`,
    [applicationRole, inJobQueue],
  );
  return rows;
}

/** The job queue is the owner's, as all else is. The application's role may do what the library's worker does, and change nothing. */
async function migrateJobQueue(client: pg.Client, ownerUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, options: impatient });
  // The library wants to see that somebody listens; a failure reaches us through the promise.
  pool.on("error", () => {});
  pool.on("connect", (connection) => connection.on("error", () => {}));
  try {
    await runJobQueueMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
  await client.query(`do $$
    declare
      of record;
    begin
      grant usage on schema graphile_worker to ${applicationRole};
      grant select on all tables in schema graphile_worker to ${applicationRole};
      revoke execute on all routines in schema graphile_worker from public;
      grant execute on all routines in schema graphile_worker to ${applicationRole};
      for of in
        select oid::regclass as relation, relrowsecurity from pg_class
         where relnamespace = 'graphile_worker'::regnamespace and relkind in ('r', 'p') and relname like '_private_%'
      loop
        execute format('grant insert, update, delete on %s to ${applicationRole}', of.relation);
        -- The library's tables have no policies: with their security on, they would be empty for all but their owner.
        if of.relrowsecurity then execute format('alter table %s disable row level security', of.relation); end if;
      end loop;
    end
  $$`);
}
