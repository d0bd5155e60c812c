import { findUncredited } from "#server/chain/list-payments-to-settle.ts";
import type { Config } from "#server/platform/config.ts";
import type { Db } from "#server/platform/database.ts";
import type { Seen } from "./list-late.ts";
import { listWork } from "./list-work.ts";
import { readStanding } from "./read-standing.ts";

/** All that tells whether anything is late. */
export async function readSeen(
  db: Db,
  config: Seen["config"] & Pick<Config, "confirmations">,
  now: Date,
): Promise<Seen> {
  const [standing, work, uncredited] = await Promise.all([
    readStanding(db, now),
    listWork(db, now),
    findUncredited(db, config.confirmations),
  ]);
  return { standing, work, uncredited, config, now };
}
