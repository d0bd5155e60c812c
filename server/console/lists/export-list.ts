import { may } from "#core/permissions.ts";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import type { Db } from "#server/platform/database.ts";
import { toCsv } from "#server/platform/to-csv.ts";
import { type ListFilter, type ListName, listFiles } from "./list-files.ts";

/** The most rows that one file holds; a longer list is narrowed first. */
const exportLimit = 20_000;

/**
 * Takes a list of the console away as CSV, all that its filters leave, and writes down that this was done.
 *
 * @throws Refusal `identity/not-permitted` for whom the list itself is not
 */
export async function exportList(
  db: Db,
  operator: Operator,
  { list, filter }: { list: ListName; filter: ListFilter },
  now: Date,
): Promise<string> {
  const { reads, columns, rows } = listFiles[list];
  if (!may(operator.role, reads)) throw new Refusal("identity/not-permitted");
  const exported = {
    act: "console/export-list" as const,
    subject: `list:${list}`,
    detail: { ...filter },
    now,
  };
  return actAsOperator(db, operator, exported, async (tx) =>
    toCsv(columns, await rows(tx, filter, { limit: exportLimit, now })),
  );
}

export function isListName(name: string): name is ListName {
  return Object.hasOwn(listFiles, name);
}
