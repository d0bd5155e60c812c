import type { SQL } from "#server/platform/sql.ts";
import type { Db, Tx } from "../database.ts";

/** Reads one column's value as node-postgres gives it; throws when it is not of this kind. */
export type Column<T> = (value: unknown) => T;

export type Columns = Record<string, Column<unknown>>;
export type RowOf<C extends Columns> = { [Name in keyof C]: ReturnType<C[Name]> };

export const text: Column<string> = (value) => {
  if (typeof value !== "string") throw new TypeError("not a text");
  return value;
};

export const flag: Column<boolean> = (value) => {
  if (typeof value !== "boolean") throw new TypeError("not a boolean");
  return value;
};

/** An `int` or `float8`, or a whole number in text that a double holds exactly. */
export const number: Column<number> = (value) => {
  const read = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof read !== "number" || !Number.isFinite(read)) throw new TypeError("not a number");
  if (typeof value === "string" && !Number.isSafeInteger(read)) throw new TypeError("too large");
  return read;
};

/** A `bigint` or `numeric(38,0)`, which node-postgres gives as text. */
export const units: Column<bigint> = (value) => {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value !== "string" || !/^-?\d+$/.test(value)) throw new TypeError("not an integer");
  return BigInt(value);
};

/** A `timestamptz`. */
export const moment: Column<Date> = (value) => {
  const read = value instanceof Date ? value : typeof value === "string" ? new Date(value) : null;
  if (!read || Number.isNaN(read.getTime())) throw new TypeError("not a moment");
  return read;
};

/** A `bytea`. */
export const bytes: Column<Buffer> = (value) => {
  if (!Buffer.isBuffer(value)) throw new TypeError("not bytes");
  return value;
};

/** A `json` or `jsonb` whose shape a constraint or a function of ours guarantees. */
export function json<T>(): Column<T> {
  return (value) => {
    if (value === null || value === undefined) throw new TypeError("no JSON");
    return value as T;
  };
}

/** A text that a check constraint limits to these. */
export function oneOf<const T extends string>(known: readonly T[]): Column<T> {
  return (value) => {
    if (!known.includes(value as T)) throw new TypeError(`not one of ${known.join(", ")}`);
    return value as T;
  };
}

export function orNull<T>(column: Column<T>): Column<T | null> {
  return (value) => (value === null ? null : column(value));
}

/**
 * Reads the rows of a statement that is written by hand. `columns` may name a column of `units_paid` also as `unitsPaid`.
 *
 * @throws Error when a column is missing, is not among `columns`, or has a value of another kind
 */
export async function readRows<C extends Columns>(
  db: Db | Tx,
  statement: SQL,
  columns: C,
): Promise<RowOf<C>[]> {
  return parseRows((await db.execute(statement)).rows, columns);
}

/** The same for a statement that gives one row at most; null when it gives none. */
export async function findRow<C extends Columns>(
  db: Db | Tx,
  statement: SQL,
  columns: C,
): Promise<RowOf<C> | null> {
  const [row, ...more] = await readRows(db, statement, columns);
  if (more.length > 0) throw new Error(`${more.length + 1} rows instead of one`);
  return row ?? null;
}

/** The same for a statement that always gives one row, as an aggregate does. */
export async function getRow<C extends Columns>(
  db: Db | Tx,
  statement: SQL,
  columns: C,
): Promise<RowOf<C>> {
  const row = await findRow(db, statement, columns);
  if (!row) throw new Error("no row instead of one");
  return row;
}

/** The same for rows that a prepared statement has given. */
export function parseRows<C extends Columns>(
  rows: readonly Record<string, unknown>[],
  columns: C,
): RowOf<C>[] {
  const given = Object.keys(rows[0] ?? {});
  const readers = Object.entries(columns).map(([name, column]) => {
    return { name, from: given.includes(name) ? name : inSnakeCase(name), column };
  });
  for (const name of given) {
    if (!readers.some(({ from }) => from === name)) throw new Error(`column ${name} is not read`);
  }
  return rows.map((row) => {
    const read: Record<string, unknown> = {};
    for (const { name, from, column } of readers) read[name] = parseValue(row, from, column);
    return read as RowOf<C>;
  });
}

/** `usdE8` is `usd_e8`. */
function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function parseValue(row: Record<string, unknown>, name: string, column: Column<unknown>): unknown {
  const value = row[name];
  if (value === undefined) throw new Error(`column ${name} is missing`);
  try {
    return column(value);
  } catch (error) {
    throw new Error(`column ${name}: ${value} is ${(error as Error).message}`, { cause: error });
  }
}
