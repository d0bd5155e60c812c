import { type RowOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import { and, desc, eq, lte, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { siteEnergyPrices, sites } from "./schema.ts";

/** What was noted of energy prices, newest day first; the first one of a day counts. */
export function listEnergyPrices(db: Db | Tx, { limit }: { limit: number }) {
  return db
    .select({
      number: siteEnergyPrices.number,
      siteId: siteEnergyPrices.siteId,
      siteName: sites.name,
      effectiveFrom: siteEnergyPrices.effectiveFrom,
      usdMicrosPerKwh: siteEnergyPrices.usdMicrosPerKwh,
      evidence: siteEnergyPrices.evidence,
      createdAt: siteEnergyPrices.createdAt,
      by: users.name,
    })
    .from(siteEnergyPrices)
    .innerJoin(sites, eq(sites.id, siteEnergyPrices.siteId))
    .innerJoin(auditLog, eq(auditLog.id, siteEnergyPrices.actionId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .orderBy(desc(siteEnergyPrices.effectiveFrom), desc(siteEnergyPrices.number))
    .limit(limit);
}

/** The word that counts for a site's energy on a day. */
export async function findEnergyPriceOn(db: Db | Tx, siteId: string, day: string) {
  const p = siteEnergyPrices;
  const [price] = await db
    .select({
      effectiveFrom: p.effectiveFrom,
      usdMicrosPerKwh: p.usdMicrosPerKwh,
      evidence: p.evidence,
    })
    .from(p)
    .where(and(eq(p.siteId, siteId), lte(p.effectiveFrom, day)))
    .orderBy(desc(p.effectiveFrom), desc(p.number))
    .limit(1);
  return price ?? null;
}

const costColumns = {
  siteName: text,
  ghs: units,
  /** In millionths of a dollar, rounded up. */
  usdMicrosPerThsDay: units,
  /** What a kilowatt hour costs, and since when. */
  usdMicrosPerKwh: units,
  effectiveFrom: text,
};
/** What energy costs one TH/s for one day at a site, with the machines that run there. */
export type EnergyCost = RowOf<typeof costColumns>;

/** What energy costs at every site on a day: watts and measured hashrate of its machines at the price that was entered. */
export async function listEnergyCosts(db: Db | Tx, day: string): Promise<EnergyCost[]> {
  return readRows(
    db,
    sql`
    select s.name as site_name, machines.ghs, price.usd_micros_per_kwh, price.effective_from::text,
           ceil(machines.watts * 24 * price.usd_micros_per_kwh / machines.ghs) as usd_micros_per_ths_day
      from sites s
     cross join lateral (
       select sum(state.machines * state.measured_ghs) as ghs, sum(state.machines::numeric * state.power_watts) as watts
         from machine_deliveries b
        cross join lateral (
          select * from machine_delivery_states
           where delivery_id = b.id and effective_from <= ${day}
           order by effective_from desc, number desc limit 1) state
        where b.site_id = s.id) machines
     cross join lateral (
       select usd_micros_per_kwh, effective_from from site_energy_prices
        where site_id = s.id and effective_from <= ${day}
        order by effective_from desc, number desc limit 1) price
     where machines.ghs > 0
     order by s.name limit 500`,
    costColumns,
  );
}
