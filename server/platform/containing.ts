import { ilike, or, type SQL } from "#server/platform/sql.ts";
import type { AnyPgColumn } from "#server/platform/tables.ts";

/** Rows of which one of these columns contains the text as it stands: its own % and _ match only themselves. No text: all rows. */
export function containing(
  text: string | undefined,
  ...columns: (AnyPgColumn | SQL)[]
): SQL | undefined {
  if (!text) return undefined;
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(...columns.map((column) => ilike(column, pattern)));
}
