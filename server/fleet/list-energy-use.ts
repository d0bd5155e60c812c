import { flag, readRows, text, units } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";

/** What the machines of all sites use on a UTC day when they all run, and what that costs. */
export interface EnergyDay {
  day: string;
  wattHours: bigint;
  /** Of the sites whose price is known. */
  usdMicros: bigint;
  /** Whether machines ran at a site without a price for the day. */
  lacksPrice: boolean;
}

/**
 * The energy of each UTC day from one to another, both included: watts of the machines that were entered, for 24 hours, at the
 * price of their site on that day. Days before the first machine are missing.
 */
export async function listEnergyUse(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<EnergyDay[]> {
  const rows = await readRows(
    db,
    sql`
    with states as (
      select b.site_id, s.effective_from, s.machines::numeric * s.power_watts as watts,
             lead(s.effective_from, 1, 'infinity') over (partition by s.delivery_id order by s.effective_from, s.number) as changed_on
        from machine_delivery_states s join machine_deliveries b on b.id = s.delivery_id
    ), prices as (
      select site_id, effective_from, usd_micros_per_kwh,
             lead(effective_from, 1, 'infinity') over (partition by site_id order by effective_from, number) as changed_on
        from site_energy_prices
    )
    select d.day::date::text as day, sum(s.watts) as watts, coalesce(sum(s.watts * p.usd_micros_per_kwh), 0) as micro_watts,
           coalesce(bool_or(p.site_id is null) filter (where s.watts > 0), false) as lacks_price
      from generate_series(${from}::date, ${until}::date, interval '1 day') d (day)
      join states s on d.day >= s.effective_from and d.day < s.changed_on
      left join prices p on p.site_id = s.site_id and d.day >= p.effective_from and d.day < p.changed_on
     group by d.day order by d.day`,
    { day: text, watts: units, microWatts: units, lacksPrice: flag },
  );
  return rows.map(({ day, watts, microWatts, lacksPrice }) => ({
    day,
    wattHours: watts * 24n,
    usdMicros: (microWatts * 24n) / 1000n,
    lacksPrice,
  }));
}
