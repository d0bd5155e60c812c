import { type NoticeEvent, noticeEvents } from "#core/notice-events.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { customers, mutedNotices } from "../schema.ts";
import { type Browser, markOf } from "./settings.ts";

/**
 * Sets about which events a customer gets mail. Those about safety are none of them, and always come.
 *
 * @throws Refusal `identity/changed-meanwhile` when `seen` is not the mark of the choice that stands there now.
 */
export async function chooseNotices(
  db: Db,
  choice: {
    customerId: string;
    wanted: NoticeEvent[];
    seen: string;
    browser: Browser;
    now: Date;
  },
): Promise<void> {
  const { customerId, browser, now } = choice;
  const muted = noticeEvents.filter((event) => !choice.wanted.includes(event));
  await db.transaction(async (tx) => {
    await tx
      .select({ id: customers.id })
      .from(customers)
      .where(eq(customers.id, customerId))
      .for("update");
    const current = await listMuted(tx, customerId);
    if (markOf({ muted: current }) === markOf({ muted })) return;
    if (markOf({ muted: current }) !== choice.seen) throw new Refusal("identity/changed-meanwhile");
    await tx.delete(mutedNotices).where(eq(mutedNotices.customerId, customerId));
    if (muted.length > 0) {
      const rows = muted.map((event) => ({ customerId, event, mutedAt: now }));
      await tx.insert(mutedNotices).values(rows);
    }
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "notices-chosen",
      by: "self",
      detail: { muted: muted.join(", ") },
      ...browser,
      now,
    });
  });
}

/** The events that a customer wants no mail about, in the order of `noticeEvents`. */
export async function listMuted(db: Db | Tx, customerId: string): Promise<NoticeEvent[]> {
  const rows = await db
    .select({ event: mutedNotices.event })
    .from(mutedNotices)
    .where(eq(mutedNotices.customerId, customerId));
  return noticeEvents.filter((event) => rows.some((row) => row.event === event));
}

/** Whether a customer wants no mail about this. */
export async function isMuted(
  db: Db | Tx,
  customerId: string,
  event: NoticeEvent,
): Promise<boolean> {
  const rows = await db
    .select({ event: mutedNotices.event })
    .from(mutedNotices)
    .where(and(eq(mutedNotices.customerId, customerId), eq(mutedNotices.event, event)));
  return rows.length > 0;
}
