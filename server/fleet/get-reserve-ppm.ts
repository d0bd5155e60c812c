import { desc } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { fleetReserves } from "./schema.ts";

/** How much of the fleet is never sold, in millionths. */
export async function getReservePpm(db: Db | Tx): Promise<number> {
  const [last] = await db
    .select({ ppm: fleetReserves.reservePpm })
    .from(fleetReserves)
    .orderBy(desc(fleetReserves.number))
    .limit(1);
  return last?.ppm ?? 0;
}
