import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { type Config, ConfigError } from "../server/platform/config.ts";
import {
  AlreadyRunning,
  movedPostgres,
  postgresFolder,
  startEmbeddedPostgres,
} from "../server/platform/database/embedded-postgres.ts";
import { refuseServerVersion, requireRole } from "../server/platform/database/migrate.ts";
import type { Printed } from "./printed.ts";
import { untilInterrupted } from "./restore-command.ts";
import { oneLine } from "./run-until-stopped.ts";
import { readConfigOfExisting } from "./with-database.ts";

/**
 * `npm run move`: takes the whole database, embedded or configured, into the empty one that NEW_DATABASE_URL names, of the same major or a
 * newer one, in one transaction there; then compares every table. Returns the exit code.
 */
export async function moveCommand(env: NodeJS.ProcessEnv, printed: Printed): Promise<number> {
  try {
    const config = readConfigOfExisting(env);
    const target = targetOf(env, config);
    const left = movedPostgres(config.dataDir);
    if (!config.databaseUrl && existsSync(left)) {
      throw new ConfigError(`There is ${left} already, of an earlier move: put it away first.`);
    }
    const { tables, rows } = await untilInterrupted(
      (signal) => moveFrom(config, target, signal),
      "Interrupted. Empty the new database before you try again.",
    );
    printed.log(`Moved: ${rows} rows of ${tables} tables, compared on both sides.`);
    // What is left must not be started again by a forgotten setting: it would be a second ledger.
    if (!config.databaseUrl) {
      renameSync(postgresFolder(config.dataDir), left);
      printed.log(`The old database is in ${left} and does not start.`);
    }
    printed.log("Set DATABASE_URL to the new one, keep DATA_DIR for secrets and files, and start.");
    return 0;
  } catch (error) {
    const isRunning = error instanceof AlreadyRunning;
    printed.error(oneLine(isRunning ? stillRuns() : error));
    return 1;
  }
}

async function moveFrom(config: Config, target: string, signal: AbortSignal) {
  if (config.databaseUrl) {
    return move(config.databaseOwnerUrl ?? config.databaseUrl, target, signal);
  }
  // One that a killed product left is taken over; one that is in use is refused.
  const source = await startEmbeddedPostgres(config.dataDir);
  try {
    return await move(source.ownerUrl, target, signal);
  } finally {
    await source.stop();
  }
}

function targetOf(env: NodeJS.ProcessEnv, { databaseUrl }: Config): string {
  const given = env["NEW_DATABASE_URL"]?.trim() ?? "";
  // Also by a socket of this machine, where there is no host.
  if (!/^postgres(ql)?:\/\/\S+$/.test(given)) {
    throw new ConfigError(
      "NEW_DATABASE_URL must be the postgres:// address of an empty database, with the login that will own it.",
    );
  }
  if (given === databaseUrl) throw new ConfigError("NEW_DATABASE_URL is the database itself.");
  return given;
}

const stillRuns = () =>
  new ConfigError("Stop the product first: what it writes meanwhile would stay behind.");

async function move(sourceUrl: string, targetUrl: string, signal: AbortSignal) {
  const [source, target] = [sourceUrl, targetUrl].map(
    (connectionString) => new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 }),
  ) as [pg.Client, pg.Client];
  await source.connect();
  try {
    await target.connect().catch((error: unknown) => {
      throw new ConfigError(`NEW_DATABASE_URL cannot be reached: ${(error as Error).message}`);
    });
    try {
      await requireQuiet(source);
      await requireEmpty(target);
      const majors = [await majorOf(source), await majorOf(target)];
      refuseServerVersion((majors[1] ?? 0) * 10_000);
      requireClient(Math.max(...majors));
      await requireExtensions(source, target);
      await giveRole(target);
      await copy(source, target, { targetUrl, sourceUrl, signal });
      const compared = await compare(source, target);
      await requireQuiet(source);
      return compared;
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

/** Our processes say who they are (docs/operating/web-and-worker.md). */
async function requireQuiet(source: pg.Client): Promise<void> {
  const { rowCount } = await source.query(
    "select from pg_stat_activity where datname = current_database() and application_name like 'assay %' and pid <> pg_backend_pid()",
  );
  if (rowCount) throw stillRuns();
}

async function requireEmpty(target: pg.Client): Promise<void> {
  const { rows } = await target.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' limit 1`,
  );
  const [found] = rows;
  if (found) throw new ConfigError(`NEW_DATABASE_URL is not empty: it has ${found.name}.`);
}

async function majorOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  );
  return rows[0]?.version ?? 0;
}

/** pg_dump reads servers up to its own major, and writes what its own pg_restore reads. */
function requireClient(major: number): void {
  for (const program of ["pg_dump", "pg_restore"]) {
    const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
    const found = Number(/(\d+)/.exec(stdout ?? "")?.[1] ?? 0);
    if (found >= major) continue;
    throw new ConfigError(
      `${program} of PostgreSQL ${major} or newer must be on PATH${found ? `, not of ${found}` : ""}: install postgresql-client-${major}.`,
    );
  }
}

/** What a provider does not have there would end the copy at its end. */
async function requireExtensions(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string }>("select extname as name from pg_extension");
  const { rows: available } = await target.query<{ name: string }>(
    "select name from pg_available_extensions",
  );
  const missing = rows.find(({ name }) => !available.some((each) => each.name === name));
  if (missing) {
    throw new ConfigError(`NEW_DATABASE_URL: its server lacks the extension ${missing.name}.`);
  }
}

async function giveRole(target: pg.Client): Promise<void> {
  await requireRole(target);
  const { rowCount } = await target.query("select from pg_roles where rolname = 'assay_app'");
  // Who may give it need not be one who may make any.
  if (!rowCount) await target.query("create role assay_app nologin");
  const { rows } = await target.query<{ may: boolean }>(
    "select pg_has_role(current_user, 'assay_app', 'set') as may",
  );
  if (!rows[0]?.may) await target.query("grant assay_app to current_user");
}

async function copy(
  source: pg.Client,
  target: pg.Client,
  { sourceUrl, targetUrl, signal }: { sourceUrl: string; targetUrl: string; signal: AbortSignal },
): Promise<void> {
  const dump = start("pg_dump", ["--format=custom"], {
    env: environmentOf(source, sourceUrl),
    signal,
  });
  const restore = start(
    "pg_restore",
    [
      ...["--no-owner", "--no-comments", "--exit-on-error", "--single-transaction"],
      `--dbname=${target.database}`,
    ],
    { env: environmentOf(target, targetUrl), signal },
  );
  const ended = Promise.all([ends(dump, "pg_dump"), ends(restore, "pg_restore")]);
  // One that ends early closes the pipe: its own words say why.
  const piped = pipeline(
    dump.stdout as NodeJS.ReadableStream,
    restore.stdin as NodeJS.WritableStream,
  );
  const [said] = await Promise.allSettled([ended, piped]);
  signal.throwIfAborted();
  if (said.status === "rejected") throw said.reason;
}

function start(
  program: string,
  args: string[],
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): ChildProcess {
  return spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], env, signal });
}

/** How libpq is told the same address. Other users of the machine see a command line, and no environment. */
function environmentOf(client: pg.Client, url: string): NodeJS.ProcessEnv {
  const { host, port, user, database, password } = client;
  const asked = (name: string) => {
    const [, value] = new RegExp(`[?&]${name}=([^&]*)`).exec(url) ?? [];
    return value && decodeURIComponent(value);
  };
  const mode = asked("sslmode");
  const root = asked("sslrootcert");
  // Without a root of its own Node trusts the public ones, in each of these modes; libpq is told to.
  const isVerified = mode === "verify-full" || mode === "verify-ca" || mode === "require";
  const set: Record<string, string | undefined> = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    PGPASSWORD: typeof password === "string" ? password : process.env["PGPASSWORD"],
    PGSSLMODE: isVerified && !root ? "verify-full" : mode,
    PGSSLROOTCERT: root ?? (isVerified ? "system" : undefined),
    PGSSLCERT: asked("sslcert"),
    PGSSLKEY: asked("sslkey"),
  };
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return Object.fromEntries([...others, ...Object.entries(set).filter(([, value]) => value)]);
}

async function ends(child: ChildProcess, program: string): Promise<void> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  if (program === "pg_restore") child.stdout?.resume();
  const code = await new Promise((resolve) => {
    child.once("error", () => resolve(-1));
    child.once("close", resolve);
  });
  const [first = `it ended with ${code}`] = said
    .split("\n")
    .filter((line) => line.includes("error:"));
  if (code !== 0) throw new ConfigError(`The move failed. ${program}: ${first}`);
}

/** How many rows each table has, and what each sequence gave last, here and there. */
async function compare(source: pg.Client, target: pg.Client) {
  const here = await countAll(source);
  const there = await countAll(target);
  for (const [name, count] of [...here.tables, ...here.sequences]) {
    const found = there.tables.get(name) ?? there.sequences.get(name);
    if (found === count) continue;
    throw new ConfigError(`${name} has ${count} here and ${found ?? "none"} there: do not use it.`);
  }
  const rows = [...here.tables.values()].reduce((sum, count) => sum + Number(count), 0);
  return { tables: here.tables.size, rows };
}

async function countAll(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`,
  );
  const tables = new Map<string, string>();
  for (const { name } of rows) {
    const found = await client.query<{ count: string }>(`select count(*) from ${name}`);
    tables.set(name, found.rows[0]?.count ?? "");
  }
  const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
    "select format('sequence %I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences",
  );
  return {
    tables,
    sequences: new Map(sequences.map(({ name, last }) => [name, last ?? "nothing"])),
  };
}
