import { sql } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { asRefusal } from "./as-refusal.ts";

/**
 * Makes sure that what this transaction has posted leaves the operator's own money at zero or above, in every coin.
 * PostgreSQL asks the same when the transaction commits; who asks before can say it where it was typed. Whoever
 * posts from the operator's money waits for others who do until they have ended.
 *
 * Refuses with ledger/insufficient-equity.
 */
export async function requireEquity(tx: Tx): Promise<void> {
  try {
    await tx.execute(sql`select require_equity()`);
  } catch (error) {
    throw asRefusal(error);
  }
}
