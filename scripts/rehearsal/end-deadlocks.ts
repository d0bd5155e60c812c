import pg from "pg";
import type { Log } from "../../server/platform/log/log.ts";

const lookEveryMs = 1_000;

/** Looks for deadlocks, and ends them, as long as some work goes on. */
export async function endingDeadlocks<T>(
  { ownerUrl, log }: { ownerUrl: string; log: Log },
  work: () => Promise<T>,
): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const look = async () => {
    const cancelled = await endDeadlock(owner);
    if (cancelled) log.warn({ cancelled }, "statements waited for each other");
  };
  const timer = setInterval(() => void look().catch(() => {}), lookEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await owner.end();
  }
}

/**
 * Cancels one statement of those that wait for each other. PostgreSQL does so itself after a second, but not under another clock: its
 * timeouts of waiting do not fire there (docs/decisions/0079).
 *
 * @returns the statement that was cancelled; null: none waits for itself
 */
export async function endDeadlock(owner: pg.Client | pg.Pool): Promise<string | null> {
  const { rows } = await owner.query<{ query: string }>(`
    with recursive waits as materialized (
      select pid, query, unnest(pg_blocking_pids(pid)) as blocker from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'),
    reaches as (
      select pid, query, blocker from waits union select r.pid, r.query, w.blocker from reaches r join waits w on w.pid = r.blocker),
    caught as materialized (select pid, query from reaches where pid = blocker order by pid desc limit 1)
    select query, pg_cancel_backend(pid) from caught`);
  return rows[0]?.query ?? null;
}
