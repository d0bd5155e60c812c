import { terms } from "#core/terms.ts";
import { sendNoticeLater } from "#server/notices/send-notice.ts";
import { moment, orNull, readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const atOnce = 200;

/**
 * Tells customers, at least seven days ahead, that an account without a contract will pay a fee. Once each. A customer who
 * is told late is charged later: no fee is taken earlier than these days after.
 */
export async function notifyOfInactivity(db: Db, now: Date): Promise<void> {
  while ((await notifySome(db, now.toISOString())) === atOnce);
}

async function notifySome(db: Db, at: string): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await readRows(
      tx,
      sql`
      update inactivity_notices set told_at = ${at}::timestamptz
       where id in (select id from inactivity_notices where told_at is null order by id limit ${atOnce} for update skip locked)
      returning id, customer_id, inactive_since::text, ended_at,
                greatest(first_fee_day, (told_at at time zone 'UTC')::date + ${terms.inactivityNoticeDays}::integer)::text as first_fee_day`,
      {
        id: text,
        customerId: text,
        inactiveSince: text,
        endedAt: orNull(moment),
        firstFeeDay: text,
      },
    );
    for (const row of rows) {
      // A new contract came before the mail.
      if (row.endedAt !== null) continue;
      await sendNoticeLater(tx, {
        customerId: row.customerId,
        notice: {
          kind: "inactivity-ahead",
          noticeId: row.id,
          inactiveSince: row.inactiveSince,
          firstFeeDay: row.firstFeeDay,
        },
      });
    }
    return rows.length;
  });
}
