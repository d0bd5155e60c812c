import type { Db, Tx } from "#server/platform/database.ts";
import { innermostCause } from "../platform/database/innermost-cause.ts";
import { refusalBehind } from "../platform/refused-by.ts";
import { refusals } from "./refusals.ts";

/**
 * Calls one of the ledger's functions as a prepared statement: one round trip, parsed and planned once
 * per connection. What the database declines comes back as a Refusal.
 */
export async function call<Row>(
  tx: Tx | Db,
  name: string,
  sql: string,
  params: unknown[],
): Promise<Row[]> {
  const statement = tx._.session.prepareQuery<{
    execute: { rows: Row[] };
    all: Row[];
    values: never;
  }>({ sql, params }, undefined, name, false);
  try {
    return (await statement.execute()).rows;
  } catch (error) {
    throw refusalBehind(refusals, error) ?? innermostCause(error);
  }
}
