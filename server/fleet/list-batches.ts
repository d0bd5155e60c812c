import { json, orNull, readRows, text, units } from "#server/platform/database/read-rows.ts";
import { and, desc, eq, lte, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { machineBatches, machineBatchStates, sites } from "./schema.ts";

/** How a batch runs on a day: the last word for it. */
export async function findBatchStateOn(db: Db | Tx, batchId: string, day: string) {
  const s = machineBatchStates;
  const [state] = await db
    .select({
      effectiveFrom: s.effectiveFrom,
      machines: s.machines,
      measuredGhs: s.measuredGhs,
      powerWatts: s.powerWatts,
      evidence: s.evidence,
    })
    .from(s)
    .where(and(eq(s.batchId, batchId), lte(s.effectiveFrom, day)))
    .orderBy(desc(s.effectiveFrom), desc(s.number))
    .limit(1);
  return state ?? null;
}

type BatchState = NonNullable<Awaited<ReturnType<typeof findBatchStateOn>>>;

export interface Batch {
  id: string;
  siteId: string;
  siteName: string;
  model: string;
  nameplateGhs: bigint;
  /** On the day that was asked for; null: it does not run yet. */
  state: BatchState | null;
}

/** The machine batches, by site and model, with how they run on a day. */
export async function listBatches(db: Db | Tx, day: string): Promise<Batch[]> {
  const rows = await readRows(
    db,
    sql`
    select b.id, b.site_id, s.name as site_name, b.model, b.nameplate_ghs,
           case when state.effective_from is not null then json_build_object(
             'effectiveFrom', state.effective_from, 'machines', state.machines, 'measuredGhs', state.measured_ghs::text,
             'powerWatts', state.power_watts, 'evidence', state.evidence) end as state
      from machine_batches b
      join sites s on s.id = b.site_id
      left join lateral (
        select * from machine_batch_states
         where batch_id = b.id and effective_from <= ${day}
         order by effective_from desc, number desc limit 1) state on true
     order by s.name, b.model, b.created_at
     limit 1000`,
    {
      id: text,
      siteId: text,
      siteName: text,
      model: text,
      nameplateGhs: units,
      state: orNull(json<Omit<BatchState, "measuredGhs"> & { measuredGhs: string }>()),
    },
  );
  return rows.map(({ state, ...batch }) => ({
    ...batch,
    state: state && { ...state, measuredGhs: BigInt(state.measuredGhs) },
  }));
}

export async function findBatch(db: Db | Tx, batchId: string) {
  const [batch] = await db
    .select({
      id: machineBatches.id,
      siteId: machineBatches.siteId,
      siteName: sites.name,
      model: machineBatches.model,
      nameplateGhs: machineBatches.nameplateGhs,
    })
    .from(machineBatches)
    .innerJoin(sites, eq(sites.id, machineBatches.siteId))
    .where(eq(machineBatches.id, batchId));
  return batch ?? null;
}

/** Everything that was noted of a batch, newest day first; the first word of a day counts. */
export function listBatchStates(db: Db | Tx, batchId: string) {
  const s = machineBatchStates;
  return db
    .select({
      number: s.number,
      effectiveFrom: s.effectiveFrom,
      machines: s.machines,
      measuredGhs: s.measuredGhs,
      powerWatts: s.powerWatts,
      evidence: s.evidence,
      createdAt: s.createdAt,
      by: users.name,
    })
    .from(s)
    .innerJoin(auditLog, eq(auditLog.id, s.actionId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(eq(s.batchId, batchId))
    .orderBy(desc(s.effectiveFrom), desc(s.number))
    .limit(500);
}
