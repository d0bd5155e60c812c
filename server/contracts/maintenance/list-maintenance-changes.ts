import {
  getRow,
  moment,
  number,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** What one TH/s costs a day under a version, in millionths of a dollar, with what is announced. */
export async function maintenanceOn(db: Db | Tx, versionId: string, day: string): Promise<bigint> {
  const fee = sql`select maintenance_on(${versionId}, ${day}::date) as fee`;
  return (await getRow(db, fee, { fee: units })).fee;
}

const changeColumns = {
  id: text,
  effectiveFrom: text,
  usdMicros: units,
  reason: text,
  announcedAt: moment,
  withdrawnAt: orNull(moment),
  /** Null: on the server itself. */
  by: orNull(text),
};

/** What was announced for a version, the latest day first. */
export function listMaintenanceChanges(
  db: Db | Tx,
  versionId: string,
): Promise<RowOf<typeof changeColumns>[]> {
  return readRows(
    db,
    sql`
    select m.id, m.effective_from::text, m.usd_micros, m.reason, m.announced_at, m.withdrawn_at, u.name as by
      from maintenance_changes m
      join audit_log a on a.id = m.action_id
      left join users u on u.id = a.operator_id
     where m.plan_version_id = ${versionId}
     order by m.effective_from desc, m.announced_at desc limit 100`,
    changeColumns,
  );
}

const useColumns = {
  versionId: text,
  /** Contracts that have not ended, those that have not begun included. */
  contracts: number,
  ghs: units,
};
export type VersionUse = RowOf<typeof useColumns>;

/** How much runs under each version of each plan. */
export function listVersionUse(db: Db | Tx): Promise<VersionUse[]> {
  return readRows(
    db,
    sql`select plan_version_id as version_id, contracts, ghs from sold_hashrate where contracts > 0`,
    useColumns,
  );
}

/** How many customers hold active contracts of a version: a change of its maintenance fee concerns them. */
export async function countHolders(db: Db | Tx, versionId: string): Promise<number> {
  const holders = sql`
    select count(distinct customer_id) as customers from contracts
     where plan_version_id = ${versionId}::uuid and last_day is null`;
  return (await getRow(db, holders, { customers: number })).customers;
}
