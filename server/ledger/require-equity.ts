import { sql } from "#server/platform/sql.ts";
import { innermostCause } from "../platform/database/innermost-cause.ts";
import type { Tx } from "../platform/database.ts";
import { refusalBehind } from "../platform/refused-by.ts";
import { refusals } from "./refusals.ts";

/**
 * Makes sure that what this transaction has posted leaves the operator's own money at zero or above, in every coin.
 * PostgreSQL asks the same when the transaction commits; who asks before can say it where it was typed. Whoever
 * posts from the operator's money waits for others who do until they have ended.
 *
 * Refuses with ledger/insufficient-equity.
 */
export async function requireEquity(tx: Tx): Promise<void> {
  await asking(() => tx.execute(sql`select require_equity()`));
}

/**
 * Makes sure that what this transaction has posted leaves in custody what customers own, of every coin. PostgreSQL asks the same
 * at the commit of what takes the operator's money out.
 *
 * Refuses with ledger/customers-not-covered.
 */
export async function requireCustomersCovered(tx: Tx): Promise<void> {
  await asking(() => tx.execute(sql`select require_customers_covered()`));
}

async function asking(ask: () => PromiseLike<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    throw refusalBehind(refusals, error) ?? innermostCause(error);
  }
}
