import { addDays, startOfDay } from "#core/utc-day.ts";
import {
  moment,
  oneOf,
  orNull,
  type RowOf,
  readRows,
  text,
} from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Outage } from "./list-outages.ts";

/** What was said of an outage first, for a day that is posted, and what became of that since. */
export interface OutageThen {
  siteName: string;
  reason: string;
  /** When it was written down, where the day was posted before. */
  notedAt: Date | null;
  /** Null: nothing. */
  since:
    | null
    | { what: "ended"; at: Date; endedAt: Date }
    | { what: "withdrawn"; at: Date; why: string }
    | ({ what: "corrected"; at: Date; why: string } & Outage);
}

/**
 * What stood still on a UTC day as it was noted when the day was posted (null: now), or first after that, and what was
 * corrected or taken back since: a receipt keeps what it said.
 */
export async function listOutagesKnown(
  db: Db | Tx,
  { day, postedAt }: { day: string; postedAt: Date | null },
): Promise<OutageThen[]> {
  const then = sql`${postedAt?.toISOString() ?? "infinity"}::timestamptz`;
  const begin = sql`${startOfDay(day).toISOString()}::timestamptz`;
  const end = sql`${startOfDay(addDays(day, 1)).toISOString()}::timestamptz`;
  const rows = await readRows(
    db,
    sql`
    with recursive lines as (
      select id as first_id, 1 as nth, id from outages where corrects is null
       union all
      select lines.first_id, lines.nth + 1, o.id from lines join outages o on o.corrects = lines.id
    ), versions as (
      select lines.first_id, lines.nth, o.*, s.name as site_name, ended.occurred_at as end_noted_at, later.created_at as replaced_at
        from lines
        join outages o on o.id = lines.id
        join sites s on s.id = o.site_id
        left join audit_log ended on ended.id = o.end_action_id
        left join outages later on later.corrects = o.id
    ), said as (
      select distinct on (first_id) * from versions
       where (replaced_at is null or replaced_at > ${then}) and (withdrawn_at is null or withdrawn_at > ${then})
         and started_at < ${end}
         and (ended_at is null or ended_at >= ${begin} or end_noted_at > greatest(created_at, ${then}))
       order by first_id, nth
    )
    select said.site_name, said.reason, case when said.created_at > ${then} then said.created_at end as noted_at,
           case when last.withdrawn_at is not null then 'withdrawn' when last.id <> said.id then 'corrected'
                when last.ended_at < ${begin} then 'ended' end as what,
           case when last.withdrawn_at is not null then last.withdrawn_at when last.id <> said.id then last.created_at
                else last.end_noted_at end as at,
           coalesce(last.withdrawal_reason, last.correction_reason) as why, last.site_name as now_site_name,
           last.reason as now_reason, last.started_at as now_started_at, last.ended_at as now_ended_at
      from said
      join versions last on last.first_id = said.first_id and last.replaced_at is null
     order by said.started_at, said.id
     limit 1000`,
    columns,
  );
  return rows.map((row) => ({
    siteName: row.siteName,
    reason: row.reason,
    notedAt: row.notedAt,
    since: asChange(row),
  }));
}

const columns = {
  siteName: text,
  reason: text,
  notedAt: orNull(moment),
  what: orNull(oneOf(["ended", "withdrawn", "corrected"])),
  at: orNull(moment),
  why: orNull(text),
  nowSiteName: text,
  nowReason: text,
  nowStartedAt: moment,
  nowEndedAt: orNull(moment),
};

function asChange(row: RowOf<typeof columns>): OutageThen["since"] {
  const { what, at, why, nowEndedAt: endedAt } = row;
  if (!what) return null;
  if (!at) throw new Error("a change of an outage has a time");
  if (what === "ended") return { what, at, endedAt: endedAt ?? at };
  if (why === null) throw new Error("a withdrawn or corrected outage says why");
  if (what === "withdrawn") return { what, at, why };
  return {
    what,
    at,
    why,
    siteName: row.nowSiteName,
    reason: row.nowReason,
    startedAt: row.nowStartedAt,
    endedAt,
  };
}
