import type { Db } from "#server/platform/database.ts";
import { call } from "./call.ts";

/**
 * Opens the ledger's parts for the month of a day and for the next one: transfers are kept by months, so that old ones can be
 * taken out. Nothing fails where it is late: numbers go on in the month that is open.
 *
 * @param day as "2026-11-23", in UTC
 */
export async function openLedgerMonths(db: Db, day: string): Promise<void> {
  await call(db, "open_ledger_months", "select open_ledger_months($1)", [day]);
  // Numbers go on in a month whose parts everybody sees.
  await call(db, "open_ledger_months", "select open_ledger_months($1)", [day]);
}
