import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { askAtLength } from "../ask-engine.ts";

/**
 * Takes unpaid maintenance from customers whose balance covers the oldest of it, oldest first, as far as it goes. The
 * clock of a contract stops when nothing of it is left unpaid.
 *
 * @returns how many customers paid.
 */
export async function collectArrears(db: Db, now: Date): Promise<{ paid: number }> {
  const collect = sql`mining_collect_arrears(${now.toISOString()}::timestamptz)`;
  let paid = 0;
  for (;;) {
    const more = await askAtLength<number>(db, collect);
    if (more === 0) return { paid };
    paid += more;
  }
}
