import { desc, getTableColumns } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { ageOf } from "./price.ts";
import { networkFigures } from "./schema.ts";

const { recordedAt: _, ...shown } = getTableColumns(networkFigures);

/** What the Bitcoin network was like when last asked; null when it never was. */
export async function findNetworkFigures(db: Db | Tx, now: Date): Promise<NetworkFigures | null> {
  const [row] = await db
    .select(shown)
    .from(networkFigures)
    .orderBy(desc(networkFigures.observedAt))
    .limit(1);
  return row ? { ...row, ageMs: ageOf(row.observedAt, now) } : null;
}

export type NetworkFigures = Omit<typeof networkFigures.$inferSelect, "recordedAt"> & {
  ageMs: number;
};
