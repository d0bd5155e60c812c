import type { Db } from "#server/platform/database.ts";
import { call } from "./call.ts";

/**
 * Notes the balances of the house's accounts at the newest seal, so that nobody has to sum them from the
 * beginning. Does nothing before so many transfers were sealed since the last note.
 */
export async function snapshotHouseBalances(db: Db, everyTransfers = 10_000): Promise<void> {
  await call(db, "snapshot_house_balances", "select snapshot_house_balances($1)", [everyTransfers]);
}
