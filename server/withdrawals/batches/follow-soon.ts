import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";

/** The job that follows the batches of a chain, and its queue: one run at a time, however long a node takes. */
export function followJob(chain: WalletChain): `withdrawals/follow-${WalletChain}` {
  return `withdrawals/follow-${chain}`;
}

/** Follows the batches of a chain without waiting for the next minute. */
export function followSoon(tx: Tx, chain: WalletChain, key: string): Promise<void> {
  const job = followJob(chain);
  return enqueue(tx, job, {}, { key, queue: job });
}
