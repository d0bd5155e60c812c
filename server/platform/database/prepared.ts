import type { QueryResult, QueryResultRow } from "pg";
import type { SQL } from "#server/platform/sql.ts";
import { PgDialect } from "#server/platform/tables.ts";
import type { Db, Tx } from "../database.ts";
import { type Columns, parseRows, type RowOf } from "./read-rows.ts";

/**
 * A query that is often asked: built once for each database, and parsed and planned by PostgreSQL once for each
 * connection. `build` gives it a name (`.prepare("room_what")`) and `sql.placeholder`s; the values come with each call.
 */
export function prepared<Row, Values extends Record<string, unknown>>(
  build: (db: Db | Tx) => { execute(values: Values): Promise<Row> },
): (db: Db | Tx, values: Values) => Promise<Row> {
  const known = new WeakMap<Db | Tx, ReturnType<typeof build>>();
  return (db, values) => {
    const query = known.get(db) ?? build(db);
    known.set(db, query);
    return query.execute(values);
  };
}

const dialect = new PgDialect();

/** The same for a statement that is written by hand, with a name of its own and `sql.placeholder`s. */
export function preparedSql<Row extends QueryResultRow>(
  name: string,
  statement: SQL,
): (db: Db | Tx, values: Record<string, unknown>) => Promise<Row[]> {
  const query = dialect.sqlToQuery(statement);
  const ask = prepared<unknown, Record<string, unknown>>((db) =>
    db._.session.prepareQuery(query, undefined, name, false),
  );
  return async (db, values) => ((await ask(db, values)) as QueryResult<Row>).rows;
}

/** The same, with rows that are checked as `readRows` checks them. */
export function preparedRows<C extends Columns>(
  name: string,
  statement: SQL,
  columns: C,
): (db: Db | Tx, values: Record<string, unknown>) => Promise<RowOf<C>[]> {
  const ask = preparedSql<QueryResultRow>(name, statement);
  return async (db, values) => parseRows(await ask(db, values), columns);
}
