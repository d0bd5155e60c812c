import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { runMigrations as runJobQueueMigrations } from "graphile-worker";
import pg from "pg";
import { applicationRole } from "./database.ts";

/** Any two processes agree on this number: only one of them migrates at a time. */
const migrationLock = 8_405_912_001;

/** Migrations applied by `npm start` that no longer match the files, or cannot be applied. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

/**
 * Brings the database to the newest migration, in order, each in a transaction of its own.
 * Needs a login that may create roles, schemas and tables. Safe to run from many processes at once.
 *
 * @returns the names of the migrations that this call applied.
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  await client.connect();
  try {
    refuseServerVersion(await readServerVersion(client));
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await requireRole(client);
    const applied = await applyMissing(client);
    await requireGrants(client);
    await migrateJobQueue(client, ownerUrl);
    return applied;
  } finally {
    await client.end();
  }
}

/**
 * The majors of PostgreSQL that the whole suite is run against.
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

export interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/** The migrations of this version of the product, oldest first. */
export function readMigrations(): Migration[] {
  const folder = path.resolve(import.meta.dirname, "../../migrations");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const sql = readFileSync(path.join(folder, file), "utf8");
      return {
        name: file.slice(0, -4),
        sql,
        sha256: createHash("sha256").update(sql).digest("hex"),
      };
    });
}

/** The owner makes the application's role or may work as it already. Roles belong to the whole server, databases do not. */
async function requireRole(client: pg.Client): Promise<void> {
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

async function applyMissing(client: pg.Client): Promise<string[]> {
  await client.query(
    `create table if not exists schema_migrations (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ name: string; sha256: string }>(
    "select name, sha256 from schema_migrations",
  );
  const done = new Map(rows.map((row) => [row.name, row.sha256]));
  const migrations = readMigrations();
  refuseDrift(done, migrations);
  const missing = migrations.filter((migration) => !done.has(migration.name));
  for (const migration of missing) await apply(client, migration);
  return missing.map((migration) => migration.name);
}

function refuseDrift(done: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.sha256]));
  for (const [name, sha256] of done) {
    if (!known.has(name)) {
      throw new MigrationError(
        `The database is newer than this version: it has migration ${name}.`,
      );
    }
    if (known.get(name) !== sha256) {
      throw new MigrationError(`Migration ${name} was changed after it had been applied.`);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query("insert into schema_migrations (name, sha256) values ($1, $2)", [
      migration.name,
      migration.sha256,
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new MigrationError(`Migration ${migration.name} failed: ${(error as Error).message}`);
  }
}

/** A restore may leave out all grants at once: one that every version makes stands for all. */
async function requireGrants(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ granted: boolean }>(
    "select has_table_privilege($1, 'schema_migrations', 'select') as granted",
    [applicationRole],
  );
  if (rows[0]?.granted) return;
  throw new MigrationError(
    `${applicationRole} has no rights in this database: restore it with its grants (without --no-privileges).`,
  );
}

/** The job queue's schema belongs to the application's role: it holds no money and the library moves it. */
async function migrateJobQueue(client: pg.Client, ownerUrl: string): Promise<void> {
  await client.query(
    `create schema if not exists graphile_worker authorization ${applicationRole}`,
  );
  const { rows } = await client.query<{ database: string }>(
    "select quote_ident(current_database()) as database",
  );
  const database = rows[0]?.database;
  // "create schema if not exists", which the library runs, wants this right even when it exists.
  await client.query(`grant create on database ${database} to ${applicationRole}`);
  await giveJobQueueBack(client);
  const pool = new pg.Pool({
    connectionString: ownerUrl,
    max: 1,
    options: `-c role=${applicationRole}`,
  });
  // The library wants to see that somebody listens; a failure reaches us through the promise.
  pool.on("error", () => {});
  pool.on("connect", (connection) => connection.on("error", () => {}));
  try {
    await runJobQueueMigrations({ pgPool: pool });
  } finally {
    await pool.end();
    await client.query(`revoke create on database ${database} from ${applicationRole}`);
  }
}

/** A restore without owners makes all that it restores the property of who restores: the queue goes back to the application. */
async function giveJobQueueBack(client: pg.Client): Promise<void> {
  await client.query(`do $$
    declare
      statement text;
    begin
      for statement in
        select format('alter schema %I owner to ${applicationRole}', nspname) from pg_namespace
          where nspname = 'graphile_worker' and nspowner <> '${applicationRole}'::regrole
        union all
        select format('alter %s %s owner to ${applicationRole}',
            case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, oid::regclass)
          from pg_class
          where relnamespace = 'graphile_worker'::regnamespace and relkind in ('r', 'p', 'v', 'S')
            and relowner <> '${applicationRole}'::regrole
            -- The sequence of an identity column goes with its table.
            and not exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype = 'i')
        union all
        select format('alter routine %s owner to ${applicationRole}', oid::regprocedure) from pg_proc
          where pronamespace = 'graphile_worker'::regnamespace and proowner <> '${applicationRole}'::regrole
        union all
        select format('alter type %s owner to ${applicationRole}', pg_type.oid::regtype)
          from pg_type left join pg_class on pg_class.oid = typrelid
          where typnamespace = 'graphile_worker'::regnamespace and typowner <> '${applicationRole}'::regrole
            and typelem = 0 and coalesce(relkind, 'c') = 'c'
      loop
        execute statement;
      end loop;
    end
  $$`);
}
