import { findRow, flag, number, type RowOf } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = { number, byItself: flag, mostDeviationPpm: number };
/** Whether days are posted automatically, and from which difference to the reference on one waits for a person; `number` grows with each change. */
export type RunSettings = RowOf<typeof columns>;

export async function getRunSettings(db: Db | Tx): Promise<RunSettings> {
  const last = await findRow(
    db,
    sql`select number, by_itself, most_deviation_ppm from mining_settings order by number desc limit 1`,
    columns,
  );
  return last ?? { number: 0, byItself: true, mostDeviationPpm: 200_000 };
}
