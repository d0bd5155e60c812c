import type { Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** Sets whether the daily run goes by itself, and from what difference to the reference on it waits for a person. Part of an act of staff. */
export async function changeRunSettings(
  tx: Tx,
  settings: { byItself: boolean; mostDeviationPpm: number; actionId: string; now: Date },
): Promise<void> {
  const { byItself, mostDeviationPpm, actionId, now } = settings;
  await tx.execute(sql`
    insert into mining_settings (by_itself, most_deviation_ppm, created_at, action_id)
    values (${byItself}, ${mostDeviationPpm}, ${now.toISOString()}, ${actionId})`);
}
