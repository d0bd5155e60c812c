import { utcDay } from "#core/utc-day.ts";
import { findNextMiningDay } from "#server/mining/days/find-next-mining-day.ts";
import { listRuns, type Run } from "#server/mining/days/list-runs.ts";
import { type DayEvidence, listEvidence } from "#server/payouts/list-evidence.ts";
import type { Db, Tx } from "#server/platform/database.ts";

export interface MiningDay extends DayEvidence {
  run: Run | null;
}

/** The last days that are over, newest first: what the pools said, and what was credited of it. */
export async function listMiningDays(
  db: Db | Tx,
  { days, now }: { days: number; now: Date },
): Promise<{ days: MiningDay[]; next: string | null }> {
  const ago = (count: number) => utcDay(new Date(now.getTime() - count * 86_400_000));
  const range = { from: ago(days), until: ago(1) };
  const [evidence, runs, next] = await Promise.all([
    listEvidence(db, range),
    listRuns(db, { limit: days + 1 }),
    findNextMiningDay(db),
  ]);
  const byDay = new Map(runs.map((run) => [run.day, run]));
  const listed = evidence.map((day) => ({ ...day, run: byDay.get(day.day) ?? null })).reverse();
  return { days: listed, next };
}
