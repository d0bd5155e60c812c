import { type FleetDay, listFleetDays } from "#server/fleet/list-fleet-days.ts";
import { listEvidence } from "#server/payouts/list-evidence.ts";
import type { Db } from "#server/platform/database.ts";

export interface CapacityDay extends FleetDay {
  /** What the pools saw; null while the day's evidence is not complete. */
  deliveredGhs: bigint | null;
}

/** What the machines can do, what is sold, free and delivered, for each day from one to another, both included. */
export async function listCapacity(
  db: Db,
  range: { from: string; until: string },
): Promise<CapacityDay[]> {
  const [days, evidence] = await Promise.all([listFleetDays(db, range), listEvidence(db, range)]);
  const delivered = new Map(
    evidence.filter(({ complete }) => complete).map((day) => [day.day, day.deliveredGhs]),
  );
  return days.map((day) => ({ ...day, deliveredGhs: delivered.get(day.day) ?? null }));
}
