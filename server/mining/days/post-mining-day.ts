import { sql } from "#server/platform/sql.ts";
import { allowMinutes, type Db, type Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import { askAtLength, askEngine } from "../ask-engine.ts";
import { warnOfRunwayLater } from "../contracts/warn-of-runway.ts";
import { openMiningDay } from "./open-mining-day.ts";

/** Chunks that one process works at side by side. */
const concurrency = 2;

/**
 * Credits a UTC day: opens it, posts it in chunks of customers, takes fees, closes it. Any number of processes may do it
 * at once, and one that dies leaves whole chunks behind which others go on from. A day that is posted stays as it is.
 *
 * @returns whether this call closed the day.
 * @throws Refusal as `openMiningDay` does
 */
export async function postMiningDay(
  db: Db,
  day: string,
  now: Date,
  { actionId = null }: { actionId?: string | null } = {},
): Promise<{ posted: boolean }> {
  if ((await findState(db, day)) === "posted") return { posted: false };
  await db.transaction((tx) => openMiningDay(tx, day, { now, actionId }));
  const at = sql`${now.toISOString()}::timestamptz`;
  do {
    await postSideBySide(db, day, at);
  } while (!(await askAtLength<boolean>(db, sql`mining_await_chunks(${day}::date)`)));
  // Nobody's credit waits for who is told of a fee to come: the next day notes what this one could not.
  let unnoted: unknown;
  await askAtLength(db, sql`mining_note_inactivity(${day}::date, ${at})`).catch((error) => {
    unnoted = error;
  });
  const charge = sql`mining_charge_inactivity(${day}::date, ${at})`;
  while ((await askAtLength<number>(db, charge)) > 0);
  // With its warnings: whoever dies after it leaves them to the worker.
  const posted = await db.transaction(async (tx) => {
    await allowMinutes(tx, 10);
    const closed = await askEngine<boolean>(tx, sql`mining_close_day(${day}::date, ${at})`);
    if (closed) await warnOfRunwayLater(tx, day);
    return closed;
  });
  await askAtLength(db, sql`mining_settle_endings(${at})`);
  if (unnoted) throw unnoted;
  return { posted };
}

/** The same by the worker, once the caller's transaction has committed. Asking again while it waits changes nothing. */
export async function postMiningDayLater(tx: Tx | Db, day: string): Promise<void> {
  await enqueue(tx, "mining/post-day", { day }, { key: `mining-day:${day}` });
}

async function findState(db: Db, day: string): Promise<string | undefined> {
  const { rows } = await db.execute(sql`select state from mining_runs where day = ${day}::date`);
  return (rows[0] as { state: string } | undefined)?.state;
}

/** A fault of one ends this when the others have ended, too: what a caller does next meets none of them. */
async function postSideBySide(db: Db, day: string, at: ReturnType<typeof sql>): Promise<void> {
  const hands = Array.from({ length: concurrency }, () => postChunks(db, day, at));
  await Promise.allSettled(hands);
  await Promise.all(hands);
}

async function postChunks(db: Db, day: string, at: ReturnType<typeof sql>): Promise<void> {
  const next = sql`mining_post_chunk(${day}::date, ${at})`;
  while ((await askAtLength<number | null>(db, next)) !== null);
}
