import { sql } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { runEach } from "../../platform/jobs/run-each.ts";
import { askAtLength } from "../ask-engine.ts";

/**
 * Gives out the difference that corrected payouts make to days that were posted: more is credited, less is taken back as
 * far as the balance goes, and the rest is the operator's loss, which a later correction upwards makes good first. In the
 * order in which they were recorded; repeating it does nothing.
 *
 * @returns how many corrections this call closed.
 */
export async function postCorrections(db: Db, now: Date): Promise<{ posted: number }> {
  let posted = 0;
  for (;;) {
    const { rows } = await db.execute(sql`select payout_id from corrections_to_post()`);
    const due = rows as { payout_id: string }[];
    const before = posted;
    // A correction waits for earlier ones of its day, never for those of other days.
    await runEach(due, async ({ payout_id }) => {
      if (await postCorrection(db, payout_id, now)) posted += 1;
    });
    if (posted === before) return { posted };
  }
}

async function postCorrection(db: Db, payoutId: string, now: Date): Promise<boolean> {
  const payout = sql`${payoutId}::uuid`;
  const at = sql`${now.toISOString()}::timestamptz`;
  await askAtLength(db, sql`mining_open_correction(${payout}, ${at})`);
  const ofPayout = sql`(select day from mining_corrections where payout_id = ${payout})`;
  do {
    while ((await askAtLength(db, sql`mining_correct_chunk(${payout}, ${at})`)) !== null);
  } while (!(await askAtLength<boolean>(db, sql`mining_await_chunks(${ofPayout}, ${payout})`)));
  return askAtLength<boolean>(db, sql`mining_close_correction(${payout}, ${at})`);
}
