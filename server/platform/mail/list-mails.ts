import { containing } from "#server/platform/containing.ts";
import { and, count, desc, eq, getTableColumns, lt, type SQL } from "#server/platform/sql.ts";
import type { Db } from "../database.ts";
import { mails } from "../schema.ts";
import type { MailState } from "./mail.ts";

export const {
  bodyText: _text,
  bodyHtml: _html,
  sendingUntil: _until,
  replyTo: _replyTo,
  ...listed
} = getTableColumns(mails);

export interface ListedMail {
  id: string;
  userId: string | null;
  recipient: string;
  template: string;
  subject: string;
  holdsLink: boolean;
  state: MailState;
  attempts: number;
  lastError: string | null;
  sentVia: "smtp" | "outbox" | null;
  createdAt: Date;
  sentAt: Date | null;
}

/** Mails, newest first, without their bodies. `before` is the id of the last one already shown. */
export async function listMails(
  db: Db,
  filter: { state?: MailState; search?: string; userId?: string; before?: string; limit: number },
): Promise<ListedMail[]> {
  const { state, search, userId, before, limit } = filter;
  const wanted: Array<SQL | undefined> = [
    state && eq(mails.state, state),
    userId === undefined ? undefined : eq(mails.userId, userId),
    containing(search, mails.recipient, mails.subject),
    // Ids are UUIDv7: they grow with time.
    before === undefined ? undefined : lt(mails.id, before),
  ];
  return db
    .select(listed)
    .from(mails)
    .where(and(...wanted))
    .orderBy(desc(mails.id))
    .limit(limit);
}

/** How many mails stand in each state. */
export async function countMails(db: Db): Promise<Record<MailState, number>> {
  const rows = await db
    .select({ state: mails.state, count: count() })
    .from(mails)
    .groupBy(mails.state);
  const counted = { queued: 0, sent: 0, failed: 0 };
  for (const row of rows) counted[row.state] = row.count;
  return counted;
}
