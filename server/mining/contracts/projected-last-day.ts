import { sql } from "#server/platform/sql.ts";

/**
 * When an active contract ends if everything is delivered from now on: SQL over the contract `c`, the last settled day `newest`,
 * and the day before the contract's first one, `at_start`. `mining_close_day` works out in the same way what downtime reserves.
 */
export const projectedLastDay = sql.raw(`(
  case when newest.day >= c.starts_on
       then newest.day + ceil(c.term_days - (newest.cumulative_served_ppm - coalesce(at_start.cumulative_served_ppm, 0)) / 1000000.0)::integer
       else c.planned_last_day end)`);

/** The last settled day, for a `with` clause. */
export const newestRun = sql.raw(
  "newest as (select day, cumulative_served_ppm from mining_runs where state = 'posted' order by day desc limit 1)",
);
