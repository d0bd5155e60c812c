import type pg from "pg";
import type { Db } from "../database.ts";
import { type NodePgDatabase, nodePostgres } from "./drizzle.ts";

interface Sitting {
  connection: Promise<pg.PoolClient>;
  readers: number;
}

const open = new WeakMap<Db, Sitting>();

/**
 * Asks small questions one behind the other on one connection, without waiting for answers: those of one call, and of other calls
 * in the same turn of the event loop, as a page's loaders make them. Each on a connection of its own would wake a process of
 * PostgreSQL. A question that may take long is not asked here: those behind it would wait.
 */
export async function pipelineReads<T>(db: Db, read: (one: Db) => Promise<T>): Promise<T> {
  const sitting = open.get(db) ?? openSitting(db);
  sitting.readers += 1;
  try {
    return await read(databaseOf(await sitting.connection));
  } finally {
    sitting.readers -= 1;
    if (sitting.readers === 0) {
      close(db, sitting);
      sitting.connection.then((one) => one.release()).catch(() => {});
    }
  }
}

function openSitting(db: Db): Sitting {
  const sitting = { connection: db.$client.connect(), readers: 0 };
  open.set(db, sitting);
  process.nextTick(close, db, sitting);
  return sitting;
}

/** Lets nobody else join: the turn is over, or the connection is given back already. */
function close(db: Db, sitting: Sitting): void {
  if (open.get(db) === sitting) open.delete(db);
}

const known = new WeakMap<pg.PoolClient, NodePgDatabase>();

/** The same for each connection, which has its prepared statements by it. */
function databaseOf(connection: pg.PoolClient): Db {
  const database = known.get(connection) ?? nodePostgres.drizzle(connection);
  known.set(connection, database);
  return database as Db;
}
