import type { Coin } from "#core/asset.ts";
import { and, asc, desc, eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { custodyDays, custodyHoldings } from "./schema.ts";

const h = custodyHoldings;

/** A UTC day of a coin: the ledger at its end, and the last figure on chain that is of it; null: nobody counted. */
export interface ReconciledDay {
  day: string;
  asset: Coin;
  custodyUnits: bigint;
  holding: { id: string; units: bigint; custodyUnits: bigint; asOf: Date } | null;
}

/** The last days that are over, newest first. */
export async function listReconciledDays(db: Db | Tx, days: number): Promise<ReconciledDay[]> {
  const d = custodyDays;
  const ofDay = db
    .select({
      id: h.id,
      units: h.units,
      holdingCustody: sql`${h.custodyUnits}`.mapWith(h.custodyUnits).as("holding_custody"),
      asOf: h.asOf,
    })
    .from(h)
    .where(
      and(
        eq(h.asset, d.asset),
        sql`${h.asOf} >= ${d.day}::timestamp at time zone 'UTC'`,
        sql`${h.asOf} < (${d.day} + 1)::timestamp at time zone 'UTC'`,
      ),
    )
    .orderBy(desc(h.asOf), desc(h.recordedAt), desc(h.id))
    .limit(1)
    .as("of_day");
  const rows = await db
    .select({
      day: d.day,
      asset: d.asset,
      custodyUnits: d.custodyUnits,
      id: ofDay.id,
      units: ofDay.units,
      at: ofDay.holdingCustody,
      asOf: ofDay.asOf,
    })
    .from(d)
    .leftJoinLateral(ofDay, sql`true`)
    .orderBy(desc(d.day), asc(d.asset))
    .limit(days * 3);
  return rows.map(({ day, asset, custodyUnits, id, units, at, asOf }) => {
    const isCounted = id !== null && units !== null && at !== null && asOf !== null;
    return {
      day,
      asset,
      custodyUnits,
      holding: isCounted ? { id, units, custodyUnits: at, asOf } : null,
    };
  });
}
