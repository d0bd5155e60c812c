import { sql } from "drizzle-orm";
import type { Db, Tx } from "./database.ts";

/** What a job may be given besides its payload: the same things that pages get. */
export interface Job<Context, Payload> {
  name: string;
  /** A crontab line in UTC for work that recurs, for instance every five minutes. */
  schedule?: string;
  run(context: Context, payload: Payload): Promise<void>;
}

/**
 * Adds a job inside the caller's transaction: it exists exactly when the act's rows do.
 * The same `key` while the job still waits replaces it, so a repeat adds nothing.
 */
export async function enqueue(
  tx: Tx | Db,
  name: string,
  payload: Record<string, string | number | boolean | null>,
  options: { key?: string; runAt?: Date; maxAttempts?: number } = {},
): Promise<void> {
  await tx.execute(sql`
    select graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json,
      run_at => ${options.runAt?.toISOString() ?? null}::timestamptz,
      max_attempts => ${options.maxAttempts ?? 25}::int,
      job_key => ${options.key ?? null}::text)`);
}
