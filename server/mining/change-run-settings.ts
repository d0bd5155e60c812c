import type { Tx } from "../platform/database.ts";
import { miningSettings } from "./schema.ts";

/** Sets whether the daily run goes by itself, and from what difference to the reference on it waits for a person. Part of an act of staff. */
export async function changeRunSettings(
  tx: Tx,
  settings: { byItself: boolean; mostDeviationPpm: number; actionId: string; now: Date },
): Promise<void> {
  const { now, ...row } = settings;
  await tx.insert(miningSettings).values({ ...row, createdAt: now });
}
