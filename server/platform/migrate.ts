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
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    const applied = await applyMissing(client);
    await migrateJobQueue(client, ownerUrl);
    return applied;
  } finally {
    await client.end();
  }
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
