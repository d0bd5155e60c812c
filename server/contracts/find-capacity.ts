import { addDays, utcDay } from "#core/utc-day.ts";
import { type FleetDay, listFleetDays } from "../fleet/list-fleet-days.ts";
import type { Db, Tx } from "../platform/database.ts";

/** How much of the fleet is sold and free tomorrow, for the public; null while there is no fleet. */
export async function findCapacity(db: Db | Tx, now: Date): Promise<FleetDay | null> {
  const day = addDays(utcDay(now), 1);
  const [tomorrow] = await listFleetDays(db, { from: day, until: day });
  return tomorrow && tomorrow.capacityGhs > 0n ? tomorrow : null;
}
