import { hostname } from "node:os";
import pg from "pg";
import { ConfigError } from "./config.ts";
import { type NodePgDatabase, nodePostgres } from "./database/drizzle.ts";
import { answersWithinMs, WatchedClient } from "./database/watched-client.ts";
import type { Log } from "./log/log.ts";
import { sql } from "./sql.ts";

export type Db = NodePgDatabase & { $client: pg.Pool };
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** The limited role that the application works as. It owns no table and cannot change the ledger. */
export const applicationRole = "assay_app";

/**
 * Where names are looked for, on every connection: in PostgreSQL's own schema, then in ours, and in none that a login's name or a
 * setting of its role would add. What an owner's connection finds elsewhere, it would run with the owner's rights.
 */
const searchPath = "public,pg_temp";
export const pinnedSearchPath = `-c search_path=${searchPath}`;

const settings = {
  search_path: searchPath,
  timezone: "UTC",
  datestyle: "ISO,MDY",
  intervalstyle: "postgres",
  bytea_output: "hex",
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
  // In seconds, then milliseconds: a session whose client is gone without a word keeps no locks, and no place.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 4,
  tcp_user_timeout: 30_000,
};

interface Opened {
  /** At most so many. */
  connections: number;
  as: "application" | "owner";
  /** Which part of the product it is, as `pg_stat_activity` shows it. */
  part: "all" | "web" | "worker" | "command";
}

/** What PostgreSQL calls our connections: part, process and machine. It keeps 63 bytes. */
function nameOf(part: Opened["part"]): string {
  return `assay ${part} ${process.pid}@${hostname()}`.slice(0, 63);
}

/**
 * Opens a pool of connections that work as the application's role, whatever login they use; `owner`: as the login itself,
 * for the server's own commands.
 * Queries give up after 15 s and waits for a free connection after 3 s, so that a database in
 * trouble makes requests fail, not hang; a way that swallows what is sent is given up two seconds later
 * (watched-client.ts), and PostgreSQL ends what it no longer hears of. What is idle stays for ten minutes: a new connection
 * costs some 20 ms of processor time until it has its statements prepared again, more than a sign-in with its hash.
 */
export function openDatabase(
  connectionString: string,
  log: Log,
  { connections = 16, as = "application", part = "command" }: Partial<Opened> = {},
): Db {
  const role = as === "application" ? { role: applicationRole } : {};
  const pool = new pg.Pool({
    Client: WatchedClient,
    connectionString,
    application_name: nameOf(part),
    max: connections,
    // What is asked of a connection that still answers is sent at once, not when it has answered: pipeline-reads.ts.
    pipeline: true,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 600_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: optionsOf({ ...role, ...settings }),
  });
  // A connection that dies while idle is the pool's to replace; without a listener it would end the process.
  // While the pool is closed, a database that stops meanwhile ends connections that were closed anyway.
  const lost = (error: Error) => {
    if (pool.ending) return;
    log.warn({ code: (error as pg.DatabaseError).code }, "database connection lost");
  };
  pool.on("error", lost);
  pool.on("connect", (connection) => connection.on("error", lost));
  return returningConnections(nodePostgres.drizzle(keepingConnections(pool)) as Db);
}

function optionsOf(set: Record<string, string | number>): string {
  return Object.entries(set)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/**
 * Refuses what does not keep what a connection sets when it opens: its role, its limits of time, where names are looked for. Behind a
 * pooler that ignores them an owner's login would work as the owner of the ledger, and nothing would end.
 *
 * @throws ConfigError naming the setting
 */
export async function requireKeptSettings(name: string, connectionString: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 3_000,
    options: optionsOf(settings),
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ path: string; limit: string }>(
      `select current_setting('search_path') as path, current_setting('statement_timeout') as limit`,
    );
    if (rows[0]?.path === searchPath && rows[0].limit === "15s") return;
  } catch (error) {
    if (!(error as Error).message.includes("unsupported startup parameter")) throw error;
  } finally {
    await client.end().catch(() => {});
  }
  throw new ConfigError(
    `${name}: what is there does not keep the role and the limits that a connection sets, as poolers such as PgBouncer do not. Give the address of PostgreSQL itself (docs/operating/web-and-worker.md#connections).`,
  );
}

/**
 * A refusal is an answer: the connection that brought it is kept, where the library would end it and make a new one, unless the
 * statement left a transaction open.
 */
export function keepingConnections(pool: pg.Pool): pg.Pool {
  const query = async (...asked: Parameters<pg.Pool["query"]>) => {
    const connection = await pool.connect();
    let isKept = true;
    try {
      return await connection.query(...asked);
    } catch (error) {
      // Its state comes after the refusal, and with the next answer at the latest.
      isKept = await connection.query("").then(
        () => connection.getTransactionStatus() === "I",
        () => false,
      );
      throw error;
    } finally {
      connection.release(!isKept);
    }
  };
  return Object.assign(pool, { query });
}

/** Which connection a transaction is on. */
const connections = new WeakMap<object, WatchedClient>();

/**
 * Refuses a login that cannot work as the application's role, before anything is asked of it.
 *
 * @throws ConfigError with the statement that the owner of the database has to run
 */
export async function requireApplicationRole(connectionString: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 3_000,
    options: pinnedSearchPath,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ login: string; may: boolean }>(
      "select quote_ident(current_user) as login, pg_has_role(current_user, $1, 'set') as may",
      [applicationRole],
    );
    if (rows[0]?.may) return;
    throw new ConfigError(
      `DATABASE_URL: its login may not work as ${applicationRole}. As the owner of the database, run: grant ${applicationRole} to ${rows[0]?.login};`,
    );
  } finally {
    await client.end();
  }
}

/**
 * Gives a connection back to the pool however its transaction ends. Drizzle itself keeps the connection
 * when BEGIN fails, which is what a dead connection does first: each outage would cost some, for good.
 */
function returningConnections(db: Db): Db {
  db.transaction = async (act, config) => {
    const connection = await db.$client.connect();
    const watched = connection as pg.PoolClient & WatchedClient;
    try {
      return await nodePostgres.drizzle(connection).transaction((tx) => {
        connections.set(tx, watched);
        return act(tx);
      }, config);
    } finally {
      watched.waitForAnswers(answersWithinMs);
      connection.release();
    }
  };
  return db;
}

/**
 * Lets each further statement of this transaction take so many minutes: what is worked out for a million contracts does. Called on
 * the transaction itself, not on a part of it.
 */
export async function allowMinutes(tx: Tx, minutes: number): Promise<void> {
  const limitMs = minutes * 60_000;
  // A connection that is not of our pool has no limit on silence.
  connections.get(tx)?.waitForAnswers(limitMs + 2_000);
  await tx.execute(sql.raw(`set local statement_timeout = ${limitMs}`));
}
