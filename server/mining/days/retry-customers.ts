import { orNull, readRows, text } from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import { askAtLength } from "../ask-engine.ts";

/**
 * Posts customers who were set apart, once their time to be tried again has come: their days in order, then corrections of
 * these. A customer who fails again waits longer. Repeating it does nothing.
 */
export async function retryCustomers(db: Db, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  let before = "";
  for (;;) {
    const due = await readRows(
      db,
      sql`
        select c.day::text, c.correction_id from mining_chunks c left join mining_corrections f on f.payout_id = c.correction_id
         where c.set_apart_at is not null and c.posted_at is null and c.retry_at <= ${at} and not mining_waits(c)
         group by c.day, c.correction_id, f.number order by c.day, f.number nulls first`,
      { day: text, correctionId: orNull(text) },
    );
    // What is posted makes later days due. When nothing moves any more, another process is at work on it.
    const seen = JSON.stringify(due);
    if (due.length === 0 || seen === before) break;
    before = seen;
    for (const { day, correctionId } of due) {
      const next = correctionId
        ? sql`mining_correct_chunk(${correctionId}::uuid, ${at})`
        : sql`mining_post_chunk(${day}::date, ${at})`;
      while ((await askAtLength<number | null>(db, next)) !== null);
    }
  }
  await askAtLength(db, sql`mining_settle_endings(${at})`);
}

/** The same by the worker, once the caller's transaction has committed. */
export async function retryCustomersLater(tx: Tx): Promise<void> {
  await enqueue(tx, "mining/retry-customers", {}, { key: "mining/retry-customers" });
}
