import { listWork } from "#server/console/today/list-work.ts";
import { type WorkKind, workKinds } from "#server/console/today/work.ts";
import type { Db } from "#server/platform/database.ts";

/** How much of each kind waits. */
export async function countWork(db: Db, now: Date): Promise<Record<WorkKind, number>> {
  const work = await listWork(db, now);
  const kinds = Object.keys(workKinds) as WorkKind[];
  const counts = kinds.map((kind) => [kind, work.find((each) => each.kind === kind)?.count ?? 0]);
  return Object.fromEntries(counts) as Record<WorkKind, number>;
}
