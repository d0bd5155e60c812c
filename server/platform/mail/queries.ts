import type { Network } from "#core/payments/address.ts";
import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  ilike,
  lt,
  or,
  type SQL,
} from "#server/platform/sql.ts";
import type { Db } from "../database.ts";
import type { MailState } from "./mail.ts";
import { mails } from "./schema.ts";

const {
  bodyText: _text,
  bodyHtml: _html,
  sendingUntil: _until,
  replyTo: _replyTo,
  unsubscribeUrl: _unsubscribeUrl,
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
    search ? or(contains(mails.recipient, search), contains(mails.subject, search)) : undefined,
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

function contains(column: typeof mails.recipient | typeof mails.subject, text: string): SQL {
  return ilike(column, `%${text.replace(/[\\%_]/g, "\\$&")}%`);
}

/**
 * One mail with its bodies, or null. Bodies with a link that opens something are null too: staff could sign
 * in as the customer with them. An outbox of a test network is the exception, so that the product can be
 * tried before there is a mail server; on mainnet its files are for the owner of the machine alone.
 */
export async function findMail(
  db: Db,
  id: string,
  network: Network,
): Promise<(ListedMail & { bodyText: string | null; bodyHtml: string | null }) | null> {
  const [mail] = await db
    .select({ ...listed, bodyText: mails.bodyText, bodyHtml: mails.bodyHtml })
    .from(mails)
    .where(eq(mails.id, id));
  if (!mail) return null;
  const isReadable = !mail.holdsLink || (mail.sentVia === "outbox" && network !== "mainnet");
  return isReadable ? mail : { ...mail, bodyText: null, bodyHtml: null };
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
