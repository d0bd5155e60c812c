import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../database.ts";

/** What a job may be given besides its payload: the same things that pages get. */
export interface Job<Context, Payload> {
  name: string;
  /** A crontab line in UTC for work that recurs, for instance every five minutes. */
  schedule?: string;
  /** Whether it also runs when a worker starts, not only when its schedule says so. */
  atStart?: boolean;
  /** Runs of one queue come one after the other, and no more than one waits. */
  queue?: string;
  /** `stopping` tells when the worker ends: whoever waits for somebody outside must not wait on. */
  run(context: Context, payload: Payload, stopping: AbortSignal): Promise<void>;
}

/** What waits for a node is in one of these queues: one that says nothing keeps so many jobs waiting, and no others. */
export const nodeQueues = {
  watchBitcoin: "chain/watch-bitcoin",
  watchEthereum: "chain/watch-ethereum",
  payInBitcoin: "withdrawals/bitcoin",
  payInEthereum: "withdrawals/ethereum",
  /** A node makes one at a time. */
  scanBitcoin: "bitcoin-scans",
} as const;

/**
 * Adds a job inside the caller's transaction: it exists exactly when the act's rows do.
 * The same `key` while the job still waits replaces it, so a repeat adds nothing. Jobs of a higher `priority`
 * number let all others pass (0 when none is given). Jobs of one `queue` run one after the other: those that wait
 * for strangers leave the rest of the worker free.
 */
export async function enqueue(
  tx: Tx | Db,
  name: string,
  payload: Record<string, string | number | boolean | null>,
  options: {
    key?: string;
    runAt?: Date;
    maxAttempts?: number;
    priority?: number;
    queue?: string;
  } = {},
): Promise<void> {
  await tx.execute(sql`
    select graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json,
      run_at => ${options.runAt?.toISOString() ?? null}::timestamptz,
      max_attempts => ${options.maxAttempts ?? 25}::int,
      job_key => ${options.key ?? null}::text,
      priority => ${options.priority ?? 0}::int,
      queue_name => ${options.queue ?? null}::text)`);
}
