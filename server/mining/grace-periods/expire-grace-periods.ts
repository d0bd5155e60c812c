import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { askAtLength } from "../ask-engine.ts";

/**
 * Cancels contracts whose maintenance stayed unpaid for 72 hours, unless the balance covers it at this moment: none while
 * a day that is over is not worked out. The last day served is the UTC day before; what the unserved days cost goes back
 * or stays, as the plan said.
 *
 * @returns how many contracts were cancelled.
 */
export async function expireClocks(db: Db, now: Date): Promise<{ cancelled: number }> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const cancelled = await askAtLength<number>(db, sql`mining_expire_clocks(${at})`);
  await askAtLength(db, sql`mining_settle_endings(${at})`);
  return { cancelled };
}
