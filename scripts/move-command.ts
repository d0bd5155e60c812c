import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { renameSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { type Config, ConfigError } from "../server/platform/config.ts";
import {
  findRunningEmbeddedPostgres,
  movedPostgres,
  postgresFolder,
} from "../server/platform/database/embedded-postgres.ts";
import { refuseServerVersion, requireRole } from "../server/platform/database/migrate.ts";
import type { Printed } from "./printed.ts";
import { reachDatabase } from "./reach-database.ts";
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
    if (!config.databaseUrl && findRunningEmbeddedPostgres(config.dataDir)) throw stillRuns();
    const source = await reachDatabase(config);
    try {
      const { tables, rows } = await move(source.ownerUrl, target);
      printed.log(`Moved: ${rows} rows of ${tables} tables, compared on both sides.`);
    } finally {
      await source.stop();
    }
    // What is left must not be started again by a forgotten setting: it would be a second ledger.
    if (!config.databaseUrl) {
      renameSync(postgresFolder(config.dataDir), movedPostgres(config.dataDir));
      printed.log(`The old database is in ${movedPostgres(config.dataDir)} and does not start.`);
    }
    printed.log("Set DATABASE_URL to the new one, keep DATA_DIR for secrets and files, and start.");
    return 0;
  } catch (error) {
    printed.error(oneLine(error));
    return 1;
  }
}

function targetOf(env: NodeJS.ProcessEnv, { databaseUrl }: Config): string {
  const given = env["NEW_DATABASE_URL"]?.trim() ?? "";
  const isUrl = URL.canParse(given) && /^postgres(ql)?:$/.test(new URL(given).protocol);
  if (!isUrl) {
    throw new ConfigError(
      "NEW_DATABASE_URL must be the postgres:// address of an empty database, with the login that will own it.",
    );
  }
  if (given === databaseUrl) throw new ConfigError("NEW_DATABASE_URL is the database itself.");
  return given;
}

const stillRuns = () =>
  new ConfigError("Stop the product first: what it writes meanwhile would stay behind.");

async function move(sourceUrl: string, targetUrl: string) {
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
      await giveRole(target);
      await copy(sourceUrl, targetUrl);
      return await compare(source, target);
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

async function giveRole(target: pg.Client): Promise<void> {
  await requireRole(target);
  await target.query(
    "do $$ begin create role assay_app nologin; exception when duplicate_object then null; end $$",
  );
  await target.query("grant assay_app to current_user");
}

async function copy(sourceUrl: string, targetUrl: string): Promise<void> {
  const dump = start("pg_dump", sourceUrl, ["--format=custom"]);
  const restore = start("pg_restore", targetUrl, [
    ...["--no-owner", "--exit-on-error", "--single-transaction"],
  ]);
  const ended = Promise.all([ends(dump, "pg_dump"), ends(restore, "pg_restore")]);
  // One that ends early closes the pipe: its own words say why.
  const piped = pipeline(
    dump.stdout as NodeJS.ReadableStream,
    restore.stdin as NodeJS.WritableStream,
  );
  const [said] = await Promise.allSettled([ended, piped]);
  if (said.status === "rejected") throw said.reason;
}

/** Other users of the machine see a command line, and no environment: the password goes there. */
function start(program: string, url: string, args: string[]): ChildProcess {
  const { password, ...address } = withoutPassword(url);
  return spawn(program, [...args, `--dbname=${address.url}`], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, PGPASSWORD: password },
  });
}

function withoutPassword(url: string): { url: string; password: string } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  return { url: address.toString(), password };
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
  if (code !== 0) throw new ConfigError(`Nothing was moved. ${program}: ${first}`);
}

/** How many rows each table has, here and there. */
async function compare(source: pg.Client, target: pg.Client) {
  const [here, there] = [await countAll(source), await countAll(target)];
  for (const [table, count] of here) {
    if (there.get(table) === count) continue;
    throw new ConfigError(
      `${table} has ${count} rows, and ${there.get(table) ?? "none"} there: do not use the copy.`,
    );
  }
  return { tables: here.size, rows: [...here.values()].reduce((sum, count) => sum + count, 0) };
}

async function countAll(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`,
  );
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const found = await client.query<{ count: string }>(`select count(*) from ${name}`);
    counts.set(name, Number(found.rows[0]?.count));
  }
  return counts;
}
