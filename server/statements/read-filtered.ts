import { listStatement, type StatementFilter } from "../ledger/list-statement.ts";
import type { Db } from "../platform/database.ts";
import type { StatementEntry } from "./entry.ts";
import { valueLines } from "./value-lines.ts";

const batchSize = 1000;

/** Reads the entries of a customer that a filter finds, oldest first, page by page while they are written out. */
export async function* readFiltered(
  db: Db,
  customerId: string,
  filter: StatementFilter,
): AsyncGenerator<StatementEntry> {
  let after: string | null = null;
  do {
    const page = await listStatement(db, customerId, {
      ...filter,
      limit: batchSize,
      oldestFirst: true,
      after: after ?? undefined,
    });
    yield* await valueLines(db, customerId, page.lines);
    after = page.after;
  } while (after !== null);
}
