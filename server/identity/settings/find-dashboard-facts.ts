import { sql } from "#server/platform/sql.ts";
import { preparedSql } from "../../platform/database/prepared.ts";
import type { Db } from "../../platform/database.ts";

/** What a customer's dashboard shows of the account itself. */
export interface DashboardFacts {
  /** What staff wrote above it. */
  message: string;
  messageExpiresAt: Date | null;
  hasMfa: boolean;
  /** Until when coins cannot leave after a changed way in; null: they can. */
  moneyHeldUntil: Date | null;
  /** When our staff saw the account as its customer does, since the moment that was asked for, and why. */
  lastView: { startedAt: Date; reason: string } | null;
}

export async function findDashboardFacts(
  db: Db,
  customerId: string,
  { now, viewsSince }: { now: Date; viewsSince: Date },
): Promise<DashboardFacts> {
  const [row] = await selectFacts(db, {
    customerId,
    now: now.toISOString(),
    since: viewsSince.toISOString(),
  });
  if (!row) throw new Error("no customer");
  return {
    message: row.message,
    messageExpiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    hasMfa: row.has_mfa,
    moneyHeldUntil: row.held_until === null ? null : new Date(row.held_until),
    lastView: row.started_at ? { startedAt: new Date(row.started_at), reason: row.reason } : null,
  };
}

const selectFacts = preparedSql<{
  message: string;
  expires_at: Date | string | null;
  has_mfa: boolean;
  held_until: Date | string | null;
  started_at: Date | string | null;
  reason: string;
}>(
  "identity_dashboard_facts",
  sql`
    select c.dashboard_message as message, c.dashboard_message_expires_at as expires_at, has_mfa(c.id) as has_mfa,
           money_held_until(c.id, ${sql.placeholder("now")}::timestamptz) as held_until, seen.started_at, seen.reason
      from customers c
      left join lateral (
        select v.started_at, v.reason from customer_views v
         where v.customer_id = c.id and v.started_at > ${sql.placeholder("since")}::timestamptz
         order by v.started_at desc limit 1) seen on true
     where c.id = ${sql.placeholder("customerId")}::uuid`,
);
