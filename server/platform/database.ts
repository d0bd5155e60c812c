import pg from "pg";
import { ConfigError } from "./config.ts";
import { type NodePgDatabase, nodePostgres } from "./drizzle.ts";
import { ForgettingClient } from "./forgetting-client.ts";
import { GatheringSocket } from "./gathering-socket.ts";
import type { Log } from "./log.ts";

export type Db = NodePgDatabase & { $client: pg.Pool };
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** The limited role that the application works as. It owns no table and cannot change the journal. */
export const applicationRole = "assay_app";

/**
 * Opens a pool of connections that work as the application's role, whatever login they use; `owner`: as the login itself,
 * for the server's own commands.
 * Queries give up after 15 s and waits for a free connection after 3 s, so that a database in
 * trouble makes requests fail, not hang. What is idle stays for ten minutes: a new connection costs some 20 ms of
 * processor time until it has its statements prepared again, more than a sign-in with its hash.
 */
export function openDatabase(
  connectionString: string,
  log: Log,
  connections = 16,
  as: "application" | "owner" = "application",
): Db {
  const role = as === "application" ? `-c role=${applicationRole} ` : "";
  const pool = new pg.Pool({
    Client: ForgettingClient as unknown as typeof pg.Client,
    connectionString,
    max: connections,
    stream: () => new GatheringSocket(),
    // What is asked of a connection that still answers is sent at once, not when it has answered: read-together.ts.
    pipeline: true,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 600_000,
    options: `${role}-c timezone=UTC -c datestyle=ISO,MDY -c intervalstyle=postgres -c bytea_output=hex -c statement_timeout=15000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=30000`,
  });
  // A connection that dies while idle is the pool's to replace; without a listener it would end the process.
  // While the pool is closed, a database that stops meanwhile ends connections that were closed anyway.
  const lost = (error: Error) => {
    if (pool.ending) return;
    log.warn({ code: (error as pg.DatabaseError).code }, "database connection lost");
  };
  pool.on("error", lost);
  pool.on("connect", (connection) => connection.on("error", lost));
  return returningConnections(nodePostgres.drizzle(pool) as Db);
}

/**
 * Refuses a login that cannot work as the application's role, before anything is asked of it.
 *
 * @throws ConfigError with the statement that the owner of the database has to run
 */
export async function requireApplicationRole(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 });
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
    try {
      return await nodePostgres.drizzle(connection).transaction(act, config);
    } finally {
      connection.release();
    }
  };
  return db;
}
