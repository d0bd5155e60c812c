import { type SQL, sql } from "#server/platform/sql.ts";

/** How long a clock `k` has left, in milliseconds, where `awaited` is the day that it waits for: a term of SQL. */
export const clockLeftMs = (at: SQL): SQL => sql`(
  1000 * extract(epoch from k.expires_at
    - case when awaited.since is null then ${at} else greatest(awaited.since, k.started_at) end))`;

/** Joins the day that a clock `k` waits for, as `awaited`: the customer's oldest that is set apart, or what everybody waits for. */
export const awaitedByClock = (at: SQL): SQL => sql`
  left join awaited_day(${at}) everybody on true
  left join lateral (
    select a.day, a.set_apart_at as since from mining_chunks a
     where a.first_customer_id = k.customer_id and a.set_apart_at is not null and a.posted_at is null and a.correction_id is null
     order by a.day limit 1) own on true
  cross join lateral (select coalesce(own.day, everybody.day) as day, coalesce(own.since, everybody.since) as since) awaited`;

/**
 * What a balance must hold before nothing is unpaid of a clock's contract: its own fees, and those of the customer's other
 * contracts that are taken before them (`mining_collect_from`).
 */
export function neededToStop(clock: SQL): SQL {
  return sql`(
    select coalesce(sum(a.fee_sats), 0) from maintenance_arrears a
     where a.customer_id = ${clock}.customer_id and a.state = 'open'
       and (a.day, a.bought_at, a.contract_id) <= (
         select own.day, own.bought_at, own.contract_id from maintenance_arrears own
          where own.customer_id = ${clock}.customer_id and own.contract_id = ${clock}.contract_id and own.state = 'open'
          order by own.day desc limit 1))`;
}
