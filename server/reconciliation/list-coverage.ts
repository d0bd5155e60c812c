import { asc } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { custodyCoverage } from "./schema.ts";

/** What is known of a coin's coverage: what lay on chain at a moment, and what the ledger said of it. */
export type Coverage = Awaited<ReturnType<typeof listCoverage>>[number];

/** The newest figure of each coin that was ever counted, whoever found it. */
export function listCoverage(db: Db | Tx) {
  const v = custodyCoverage;
  return db
    .select({
      holdingId: v.holdingId,
      asset: v.asset,
      units: v.units,
      custodyUnits: v.custodyUnits,
      asOf: v.asOf,
      blockHeight: v.blockHeight,
      source: v.source,
    })
    .from(v)
    .orderBy(asc(v.asset));
}
