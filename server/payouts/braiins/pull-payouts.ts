import { addDays, isDay, utcDay } from "#core/utc-day.ts";
import { and, eq, gte, isNull, lte, or, sql } from "#server/platform/sql.ts";
import { getRow, orNull, text } from "../../platform/database/read-rows.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Log } from "../../platform/log/log.ts";
import { insertPayout } from "../insert-payout.ts";
import { keepAnswer } from "../keep-statement.ts";
import { lockPool } from "../lock-pool.ts";
import type { DayOfPool, Difference } from "../payout.ts";
import { poolPayouts, poolPulls, pools } from "../schema.ts";
import { askBraiins, type BraiinsAccess, PoolFailure } from "./ask-braiins.ts";
import { readBraiins } from "./read-braiins.ts";

const minuteMs = 60_000;
/** While yesterday is missing, and when nothing is. */
const askForMissingMs = 10 * minuteMs;
const askToCompareMs = 60 * minuteMs;
const longestPauseMs = 6 * 60 * minuteMs;
/** The pool's API tells of ninety days; further back one enters by hand. */
const tellsDays = 90;
/** What is recorded is held against what the pool says now for so long. */
const comparesDays = 14;

/**
 * Asks Braiins Pool for days that are missing, and records them: what is above the limit waits for two people. What the
 * pool says otherwise than is recorded is noted for staff, and changes nothing. Any number of workers may try: one asks.
 * A pool that fails is no error of ours: it is written down, and asked again later each time.
 */
export async function pullPayouts(
  db: Db,
  access: BraiinsAccess,
  { now, log }: { now: Date; log: Log },
): Promise<void> {
  const pool = await findOwnPool(db, now);
  if (!pool || !(await beginPull(db, pool.id, now))) return;
  const days = await findDays(db, pool, now);
  if (!days) return;
  try {
    const answers = await askBraiins(access, days);
    const said = readBraiins(answers).filter(({ day }) => day >= days.from && day <= days.until);
    const failures = await db.transaction((tx) =>
      record(tx, {
        poolId: pool.id,
        said,
        answers,
        askedHost: new URL(access.url).host,
        days,
        now,
      }),
    );
    if (failures.length > 0) throw new AggregateError(failures, "some days were not recorded");
  } catch (error) {
    if (!(error instanceof PoolFailure)) {
      // The pool did answer: what went wrong here is tried again sooner.
      const askAgainAt = new Date(now.getTime() + minuteMs);
      await db.update(poolPulls).set({ askAgainAt }).where(eq(poolPulls.poolId, pool.id));
      throw error;
    }
    if (access.stopping?.aborted) return;
    await recordFailure(db, pool.id, error, now);
    log.warn({ pool: pool.name, reason: error.message }, "pool could not be asked");
  }
}

/**
 * The one pool of this kind that counts, or counted until lately: what it pays for its last days is read as well. With two of them nobody
 * could say whose token it is.
 */
async function findOwnPool(db: Db, now: Date) {
  const lately = addDays(utcDay(now), -7);
  const own = await db
    .select()
    .from(pools)
    .where(
      and(
        eq(pools.format, "braiins"),
        or(isNull(pools.countsUntil), gte(pools.countsUntil, lately)),
      ),
    )
    .orderBy(sql`${pools.countsUntil} is not null`)
    .limit(2);
  const [first, second] = own;
  const isClear = !second || (first?.countsUntil === null && second.countsUntil !== null);
  return isClear ? first : undefined;
}

/** Whether it is time, and this worker's turn. */
async function beginPull(db: Db, poolId: string, now: Date): Promise<boolean> {
  const turn = { askedAt: now, askAgainAt: new Date(now.getTime() + askForMissingMs) };
  const began = await db
    .insert(poolPulls)
    .values({ poolId, ...turn })
    .onConflictDoUpdate({
      target: poolPulls.poolId,
      set: turn,
      setWhere: lte(poolPulls.askAgainAt, now),
    })
    .returning({ poolId: poolPulls.poolId });
  return began.length > 0;
}

/** From the first day that is missing, or from those that are compared, until yesterday. */
async function findDays(db: Db, pool: { id: string; countsFrom: string }, now: Date) {
  const ago = (days: number) => utcDay(new Date(now.getTime() - days * 86_400_000));
  const until = ago(1);
  const first = [pool.countsFrom, ago(tellsDays)].sort().at(-1) ?? until;
  if (first > until) return null;
  const { day: missing } = await getRow(
    db,
    sql`
    select min(d.day)::date::text as day
      from generate_series(${first}::date, ${until}::date, interval '1 day') d (day)
     where not exists (select from pool_payouts where pool_id = ${pool.id} and day = d.day::date)`,
    { day: orNull(text) },
  );
  const compared = [ago(comparesDays), first].sort().at(-1) ?? first;
  const from = [missing ?? compared, compared].sort()[0] ?? compared;
  return isDay(from) ? { from, until } : null;
}

async function record(
  tx: Tx,
  pull: {
    poolId: string;
    said: DayOfPool[];
    answers: { statement: Uint8Array };
    askedHost: string;
    days: { from: string; until: string };
    now: Date;
  },
): Promise<unknown[]> {
  const { poolId, said, answers, askedHost, days, now } = pull;
  const pool = await lockPool(tx, poolId);
  const known = await listKnown(tx, poolId, days.from);
  const failures: unknown[] = [];
  // A day that staff refused waits for staff.
  const isMissing = ({ day }: DayOfPool) =>
    !known.has(day) && day >= pool.countsFrom && day <= (pool.countsUntil ?? day);
  const missing = said.filter(isMissing);
  if (missing.length > 0) {
    const name = `Braiins Pool, ${days.from} to ${days.until}`;
    const answer = { poolId, name, content: answers.statement, askedHost };
    const statementId = await keepAnswer(tx, answer, now);
    for (const day of missing) {
      try {
        const payout = { ...day, poolId, statementId, actionId: null };
        await tx.transaction((inner) => insertPayout(inner, payout, now));
      } catch (error) {
        // The other days do not wait for what is wrong with this one.
        failures.push(error);
      }
    }
  }
  const isYesterdayThere = [...missing.map(({ day }) => day), ...known.keys()].includes(days.until);
  const pauseMs = isYesterdayThere ? askToCompareMs : askForMissingMs;
  const differences = said.flatMap((day): Difference[] => {
    const payout = known.get(day.day);
    if (payout?.state !== "recorded") return [];
    if (payout.units === day.units && payout.deliveredGhs === day.deliveredGhs) return [];
    return [
      {
        day: day.day,
        sats: `${day.units}`,
        deliveredGhs: `${day.deliveredGhs}`,
        payoutId: payout.id,
      },
    ];
  });
  await tx
    .update(poolPulls)
    .set({
      succeededAt: now,
      failures: 0,
      lastFailure: null,
      differences,
      askAgainAt: new Date(now.getTime() + pauseMs),
    })
    .where(eq(poolPulls.poolId, poolId));
  return failures;
}

/** The last word on each day. */
async function listKnown(tx: Tx, poolId: string, from: string) {
  const p = poolPayouts;
  const rows = await tx
    .select({
      id: p.id,
      day: p.day,
      state: p.state,
      units: p.units,
      deliveredGhs: p.deliveredGhs,
    })
    .from(p)
    .where(and(eq(p.poolId, poolId), sql`${p.day} >= ${from}`))
    // Refused ones first, so that what is recorded has the last word.
    .orderBy(sql`${p.state} = 'recorded'`, p.decidedAt);
  return new Map(rows.map((row) => [row.day, row]));
}

async function recordFailure(
  db: Db,
  poolId: string,
  failure: PoolFailure,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(poolPulls)
      .where(eq(poolPulls.poolId, poolId))
      .for("update");
    const failures = (before?.failures ?? 0) + 1;
    const backOffMs = Math.min(askForMissingMs * 2 ** (failures - 1), longestPauseMs);
    const pauseMs = Math.max(backOffMs, failure.retryAfterMs ?? 0);
    await tx
      .update(poolPulls)
      .set({
        failures,
        lastFailure: failure.message,
        askAgainAt: new Date(now.getTime() + pauseMs),
      })
      .where(eq(poolPulls.poolId, poolId));
  });
}
