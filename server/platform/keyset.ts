import { isUuid } from "#core/is-uuid.ts";
import { asc, desc, type SQL, sql } from "#server/platform/sql.ts";
import type { AnyPgColumn } from "#server/platform/tables.ts";

/**
 * Pages of a list by the row that the last page ended with (keyset pagination): each costs the same, and no row is shown twice or
 * left out because others came or went. The last key is the id, so that no two rows are equal.
 *
 * @returns `by`, for `orderBy`; and `beyond`, the condition for rows that follow the row with this id. What is no id is the start.
 */
export function keyset(direction: "asc" | "desc", ...keys: [AnyPgColumn, ...AnyPgColumn[]]) {
  const [id = keys[0]] = keys.slice(-1);
  const last = keys.map(({ name }) => sql`c.${sql.identifier(name)}`);
  return {
    by: keys.map((key) => (direction === "asc" ? asc(key) : desc(key))),
    beyond(after: string | null | undefined): SQL | undefined {
      if (!isUuid(after)) return undefined;
      return sql`(${list(keys)}) ${sql.raw(direction === "asc" ? ">" : "<")} (
        select ${list(last)} from ${id.table} c where c.${sql.identifier(id.name)} = ${after})`;
    },
  };
}

function list(parts: readonly (AnyPgColumn | SQL)[]): SQL {
  return sql.join([...parts], sql`, `);
}
