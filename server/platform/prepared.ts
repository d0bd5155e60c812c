import type { Db, Tx } from "./database.ts";

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
