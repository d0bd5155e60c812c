import { browserName } from "#core/people/browser-name.ts";
import type { Permission } from "#core/permissions.ts";
import { sql } from "#server/platform/sql.ts";
import {
  getRow,
  json,
  moment,
  number,
  oneOf,
  orNull,
  readRows,
  text,
} from "../../platform/database/read-rows.ts";
import type { Db } from "../../platform/database.ts";
import { accountEvents, auditLog } from "../schema.ts";

export interface HistoryEntry {
  id: string;
  /** The event's name, or, of staff, the act's: `deposits/approve`. */
  what: string;
  by: "self" | "staff" | "system";
  /** Only what the account's owner may read. */
  detail: Record<string, unknown>;
  browser: string | null;
  ipAddress: string | null;
  occurredAt: Date;
}

/** The acts whose form tells staff that the customer reads the reason. */
const reasonsForTheCustomer: Permission[] = [
  "identity/freeze-account",
  "identity/unfreeze-account",
  "identity/reset-mfa",
  "identity/view-as-customer",
  "deposits/reject",
  "adjustments/approve",
];

/**
 * Work among staff changes nothing for customers, so their history leaves it out. What staff wrote is in the export of
 * their data: server/personal-data.
 */
const actsAmongStaff: Permission[] = [
  "deposits/propose-approval",
  "deposits/decline-approval",
  "staff-notes/write-note",
  "staff-notes/raise-flag",
  "staff-notes/lift-flag",
  "adjustments/propose",
  "adjustments/withdraw",
  "adjustments/reject",
  "adjustments/view-evidence",
];

/**
 * Everything done to an account, newest first: by its owner, by the system, and by staff out of the audit log. Of an
 * act's details only a reason that was written for the customer is shown: the rest may speak of others.
 */
export async function listAccountHistory(
  db: Db,
  userId: string,
  page: { page: number; show: number },
): Promise<{ entries: HistoryEntry[]; total: number }> {
  const everything = sql`(
    select id, event as what, by, detail, ip_address, user_agent, occurred_at, position
      from ${accountEvents} where user_id = ${userId}
    union all
    select id, act, case when operator_id is null then 'system' else 'staff' end,
        case when act in ${reasonsForTheCustomer} then jsonb_build_object('reason', detail -> 'reason') else '{}' end,
        null, null, occurred_at, position
      from ${auditLog} where customer_id = ${userId} and act not in ${actsAmongStaff}
  )`;
  const rows = await readRows(
    db,
    sql`select id, what, by, detail, ip_address as "ipAddress", user_agent as browser, occurred_at as "occurredAt"
      from ${everything} as done order by occurred_at desc, position desc
      limit ${page.show} offset ${(page.page - 1) * page.show}`,
    {
      id: text,
      what: text,
      by: oneOf(["self", "staff", "system"]),
      detail: json<HistoryEntry["detail"]>(),
      ipAddress: orNull(text),
      browser: orNull((agent) => browserName(text(agent))),
      occurredAt: moment,
    },
  );
  const { total } = await getRow(db, sql`select count(*) as total from ${everything} as done`, {
    total: number,
  });
  return { total, entries: rows };
}
