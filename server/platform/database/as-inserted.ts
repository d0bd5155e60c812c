import { getTableColumns, type SQL, sql } from "#server/platform/sql.ts";
import type { PgTable } from "#server/platform/tables.ts";

/** For `onConflictDoUpdate`: these columns get what the row that was there already would have been inserted with. */
export function asInserted<Table extends PgTable, Name extends keyof Table["_"]["columns"]>(
  table: Table,
  ...names: Name[]
): Record<Name, SQL> {
  const columns = getTableColumns(table);
  const set = names.map((name) => [name, excluded(columns[name]?.name ?? "")] as const);
  return Object.fromEntries(set) as Record<Name, SQL>;
}

function excluded(column: string): SQL {
  return sql`excluded.${sql.identifier(column)}`;
}
