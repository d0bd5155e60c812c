import {
  getRow,
  number,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { type Evidence, listEvidenceOfDay } from "../receipts/list-evidence.ts";
import { type Run, selectRuns } from "./list-runs.ts";

const planColumns = {
  planVersionId: text,
  name: text,
  version: number,
  contracts: number,
  ghs: units,
  maintenanceUsdMicros: units,
};

/** A run with what it rests on, and how far it is. */
export interface RunDetails extends Run {
  /** What ran under each plan's version on the day, and what its maintenance cost per TH/s. */
  plans: RowOf<typeof planColumns>[];
  /** None: no pool counted on the day. */
  evidence: Evidence[];
  /** Sets of customers that are credited, of all. */
  progress: { done: number; all: number };
}

export async function findRun(db: Db | Tx, day: string): Promise<RunDetails | null> {
  const [run] = await selectRuns(db, sql`where r.day = ${day}::date`);
  if (!run) return null;
  const plans = await readRows(
    db,
    sql`select plan.plan_version_id, v.name, v.version, plan.contracts, plan.ghs, plan.maintenance_usd_micros
          from mining_run_plans plan join plan_versions v on v.id = plan.plan_version_id
         where plan.day = ${day}::date order by v.name, v.version`,
    planColumns,
  );
  const evidence = await listEvidenceOfDay(db, day);
  const progress = await getRow(
    db,
    sql`select count(posted_at) as done, count(*) as "all" from mining_chunks
         where day = ${day}::date and correction_id is null`,
    { done: number, all: number },
  );
  return { ...run, plans, evidence, progress };
}
