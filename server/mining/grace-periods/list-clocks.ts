import {
  getRow,
  moment,
  number,
  oneOf,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { awaitedByClock, clockLeftMs, neededToStop } from "./awaited-day.ts";

const columns = {
  clockId: text,
  contractId: text,
  customerId: text,
  customerName: text,
  planName: text,
  ghs: units,
  startedAt: moment,
  /** Of the 72 hours, what has not run yet. */
  leftMs: number,
  unpaidSats: units,
  /** What has to arrive to stop it: older fees of other contracts are taken first. */
  missingSats: units,
  availableSats: units,
  /** What happens with the price of days not served if it runs out. */
  termination: oneOf(["refund-unserved", "forfeit"]),
};

/** A clock against a contract whose maintenance is unpaid. */
export interface Clock extends RowOf<typeof columns> {
  /** When it runs out if it does not pause from now on. */
  expiresAt: Date;
  /** It pauses while a day that is over is not settled. Null: it runs. */
  waitsFor: AwaitedDay | null;
}

export interface AwaitedDay {
  day: string;
  /** Since when clocks have paused for it. */
  since: Date;
}

/** Clocks, the first to run out first: one customer's, or everybody's. */
export async function listClocks(
  db: Db | Tx,
  { now, customerId, limit = 1000 }: { now: Date; customerId?: string; limit?: number },
): Promise<Clock[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const ofCustomer =
    customerId === undefined ? sql`` : sql`and k.customer_id = ${customerId}::uuid`;
  const rows = await readRows(
    db,
    sql`
    select k.id as clock_id, k.contract_id, k.customer_id, u.name as customer_name, v.name as plan_name, c.ghs, k.started_at,
           v.termination, greatest(trunc(${clockLeftMs(at)}), 0) as left_ms, awaited.day::text as day, awaited.since,
           coalesce((select sum(fee_sats) from maintenance_arrears a where a.contract_id = k.contract_id and a.state = 'open'), 0) as unpaid_sats,
           coalesce(b.balance, 0) as available_sats,
           greatest(${neededToStop(sql`k`)} - coalesce(b.balance, 0), 0) as missing_sats
      from maintenance_clocks k
      ${awaitedByClock(at)}
      join contracts c on c.id = k.contract_id
      join users u on u.id = k.customer_id
      join plan_versions v on v.id = c.plan_version_id
      left join ledger_accounts b on b.owner_id = k.customer_id and b.account = 'available' and b.asset = 'BTC'
     where k.state = 'running' ${ofCustomer}
     order by k.expires_at, k.id limit ${limit}`,
    { ...columns, day: orNull(text), since: orNull(moment) },
  );
  return rows.map(({ day, since, ...clock }) => ({
    ...clock,
    expiresAt: new Date(now.getTime() + clock.leftMs),
    waitsFor: day !== null && since ? { day, since } : null,
  }));
}

/** How many clocks there are, and the day for which they pause, if there is one. */
export async function countClocks(
  db: Db,
  now: Date,
): Promise<{ clocks: number; waitFor: string | null }> {
  return getRow(
    db,
    sql`select (select count(*) from maintenance_clocks where state = 'running') as clocks,
               (select day::text from awaited_day(${now.toISOString()}::timestamptz)) as wait_for`,
    { clocks: number, waitFor: orNull(text) },
  );
}
