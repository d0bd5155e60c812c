import { type SQL, sql } from "#server/platform/sql.ts";
import { sessions } from "../schema.ts";

/** Whether a session opens anything: it has time left, and somebody has used it lately. */
export function isOpen(at: Date | SQL): SQL {
  const moment = at instanceof Date ? sql`${at.toISOString()}::timestamptz` : at;
  return sql`(${sessions.expiresAt} > ${moment}
    and ${sessions.lastUsedAt} + make_interval(mins => ${sessions.idleMinutes}) > ${moment})`;
}
